import { sourceAnalysisRequestSchema } from "@sightline/contract";
import { sourcesQuestion } from "../../../analytics/question.ts";
import { toSourcePage } from "../../../analytics/source-page.ts";
import { Pieces } from "../../../platform/pieces.ts";
import type { AnalyticsRoute } from "../../route.ts";
import { validated } from "../../validation.ts";

/** POST /v1/analytics/sources (interface, operation 5). */
export const sourcesRoute: AnalyticsRoute = {
  access: "session",
  method: "POST",
  path: "/v1/analytics/sources",
  read: (body) => {
    const question = sourcesQuestion(validated(sourceAnalysisRequestSchema, body));
    return {
      key: JSON.stringify(question),
      answer: async (facts, accountId, signal) => {
        const found = await facts.sources(accountId, question, signal);
        return Pieces.of(JSON.stringify(toSourcePage(question, found)));
      },
    };
  },
};
