import { insightsSourcesPath, insightsSourcesRequestSchema } from "@sightline/contract";
import { sourceGapsQuestion } from "../../../analytics/question.ts";
import { sourceGapsBytesMost, sourceGapsJson } from "../../../analytics/source-gaps-page.ts";
import type { QuestionRoute } from "../../route.ts";
import { validated } from "../../validation.ts";
import { writeInTurns } from "../../write-in-turns.ts";

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
