import { type MetricName, metrics, timeSeriesRequestSchema } from "@sightline/contract";
import { timeSeriesQuestion } from "../analytics/question.ts";
import { toTimeSeries } from "../analytics/series.ts";
import { type AnalyticsRoute, jsonReply } from "./route.ts";
import { validated } from "./validation.ts";

/** The route of a metric: all four go this one way, from the body to the series. */
export function timeSeriesRoute(metric: MetricName): AnalyticsRoute {
  return {
    access: "session",
    method: "POST",
    path: metrics[metric].path,
    answer: async ({ facts }, { accountId, body, signal }) => {
      const request = validated(timeSeriesRequestSchema, body);
      const question = timeSeriesQuestion(metric, request);
      return jsonReply(
        toTimeSeries(request, question, await facts.timeSeries(accountId, question, signal)),
      );
    },
  };
}
