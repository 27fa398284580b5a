import { sourceAnalysisRequestSchema } from "@sightline/contract";
import { sourcesQuestion } from "../../../facts/plan/question.ts";
import type { QuestionRoute } from "../../../http/route.ts";
import { validated } from "../../../http/validation.ts";
import { toSourcePage } from "../../source-page.ts";

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
