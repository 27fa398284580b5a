import { insightsSourcesPath, insightsSourcesRequestSchema } from "@sightline/contract";
import { sourceGapsQuestion } from "../../../facts/plan/question.ts";
import type { QuestionRoute } from "../../../http/route.ts";
import { validated } from "../../../http/validation.ts";
import { writeInTurns } from "../../../http/write-in-turns.ts";
import { sourceGapsBytesMost, sourceGapsJson } from "../../source-gaps-page.ts";

/** POST /v1/insights/sources, an addition to the interface: sources, and who is visible there. */
export const insightsSourcesRoute: QuestionRoute = {
  access: "session",
  scope: "read",
  method: "POST",
  path: insightsSourcesPath,
  parse: (body) => {
    const question = sourceGapsQuestion(validated(insightsSourcesRequestSchema, body));
    return {
      key: JSON.stringify(question),
      reply: async (call) => {
        const { services, accountId, signal } = call;
        const found = await services.facts.sourceGaps(accountId, question, signal);
        const steps = sourceGapsJson(question, found);
        return writeInTurns(call, { bytesMost: sourceGapsBytesMost, steps });
      },
    };
  },
};
