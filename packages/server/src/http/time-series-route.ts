import { type MetricName, metrics, timeSeriesRequestSchema } from "@sightline/contract";
import { timeSeriesQuestion } from "../analytics/question.ts";
import { timeSeriesBytesMost, timeSeriesJson } from "../analytics/series-json.ts";
import type { AnalyticsRoute } from "./route.ts";
import { validated } from "./validation.ts";

/** The route of a metric: all four go this one way, from the body to the series. */
export function timeSeriesRoute(metric: MetricName): AnalyticsRoute {
  return {
    access: "session",
    method: "POST",
    path: metrics[metric].path,
    read: (body) => {
      const request = validated(timeSeriesRequestSchema, body);
      const question = timeSeriesQuestion(metric, request);
      const { timeRange } = request.filters;
      return {
        // The reply repeats the range as it was sent.
        key: JSON.stringify([request.interval, timeRange, question.selection]),
        answer: async (facts, accountId, signal) => {
          const found = await facts.timeSeries(accountId, question, signal);
          return {
            bytesMost: timeSeriesBytesMost(question, found.entities.length),
            write: () => timeSeriesJson(request, question, found),
          };
        },
      };
    },
  };
}
