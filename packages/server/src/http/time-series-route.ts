import { type MetricName, metrics, timeSeriesRequestSchema } from "@sightline/contract";
import { timeSeriesQuestion } from "../analytics/question.ts";
import { timeSeriesBytesMost, timeSeriesJson } from "../analytics/series-json.ts";
import type { QuestionRoute } from "./route.ts";
import { validated } from "./validation.ts";
import { writeInTurns } from "./write-in-turns.ts";

/** The route of a metric: all four go this one way, from the body to the series. */
export function timeSeriesRoute(metric: MetricName): QuestionRoute {
  return {
    access: "session",
    method: "POST",
    path: metrics[metric].path,
    parse: (body) => {
      const request = validated(timeSeriesRequestSchema, body);
      const question = timeSeriesQuestion(metric, request);
      return {
        // The reply repeats the range as it was sent.
        key: JSON.stringify([request.interval, request.filters.timeRange, question.selection]),
        reply: async (call) => {
          const { services, accountId, signal } = call;
          const found = await services.facts.timeSeries(accountId, question, signal);
          return writeInTurns(call, {
            bytesMost: timeSeriesBytesMost(question, found.entities.length),
            steps: timeSeriesJson(request, question, found),
          });
        },
      };
    },
  };
}
