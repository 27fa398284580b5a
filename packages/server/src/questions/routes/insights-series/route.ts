import { insightsSeriesPath, insightsSeriesRequestSchema } from "@sightline/contract";
import { timeSeriesQuestion } from "../../../facts/plan/question.ts";
import type { QuestionRoute } from "../../../http/route.ts";
import { validated } from "../../../http/validation.ts";
import { seriesRequest } from "../../series-request.ts";

/** POST /v1/insights/series, an addition to the interface: time series with counts. */
export const insightsSeriesRoute: QuestionRoute = {
  access: "session",
  scope: "read",
  method: "POST",
  path: insightsSeriesPath,
  parse: (body) => {
    const { metric, ...request } = validated(insightsSeriesRequestSchema, body);
    const question = timeSeriesQuestion(metric, request);
    return seriesRequest({ request, question, points: "counts" });
  },
};
