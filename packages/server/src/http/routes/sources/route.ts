import { sourceAnalysisRequestSchema } from "@sightline/contract";
import { sourcesQuestion } from "../../../analytics/question.ts";
import { toSourcePage } from "../../../analytics/source-page.ts";
import type { QuestionRoute } from "../../route.ts";
import { validated } from "../../validation.ts";

/** POST /v1/analytics/sources (interface, operation 5). */
export const sourcesRoute: QuestionRoute = {
  access: "session",
  scope: "read",
  method: "POST",
  path: "/v1/analytics/sources",
  parse: (body) => {
    const question = sourcesQuestion(validated(sourceAnalysisRequestSchema, body));
    return {
      key: JSON.stringify(question),
      reply: async ({ services, accountId, signal }) => {
        const found = await services.facts.sources(accountId, question, signal);
        return Buffer.from(JSON.stringify(toSourcePage(question, found)));
      },
    };
  },
};
