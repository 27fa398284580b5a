import { type MetricName, metrics, timeSeriesRequestSchema } from "@sightline/contract";
import { timeSeriesQuestion } from "../analytics/question.ts";
import type { QuestionRoute } from "./route.ts";
import { seriesRequest } from "./series-request.ts";
import { validated } from "./validation.ts";

/** The route of a metric: all four go this one way, from the body to the series. */
export function timeSeriesRoute(metric: MetricName): QuestionRoute {
  return {
    access: "session",
    scope: "read",
    method: "POST",
    path: metrics[metric].path,
    parse: (body) => {
      const request = validated(timeSeriesRequestSchema, body);
      const question = timeSeriesQuestion(metric, request);
      return seriesRequest({ request, question, points: "values" });
    },
  };
}
