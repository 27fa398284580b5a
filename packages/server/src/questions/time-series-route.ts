import { type MetricName, metrics, timeSeriesRequestSchema } from "@sightline/contract";
import { timeSeriesQuestion } from "../facts/plan/question.ts";
import type { QuestionRoute } from "../http/route.ts";
import { validated } from "../http/validation.ts";
import { seriesRequest } from "./series-request.ts";

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
