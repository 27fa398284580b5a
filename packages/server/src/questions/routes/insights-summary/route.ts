import { insightsSummaryPath, insightsSummaryRequestSchema } from "@sightline/contract";
import { summaryQuestion } from "../../../facts/plan/question.ts";
import type { QuestionRoute } from "../../../http/route.ts";
import { validated } from "../../../http/validation.ts";
import { writeInTurns } from "../../../http/write-in-turns.ts";
import { summaryBytesMost, summaryJson } from "../../summary.ts";
import { groupNames, revisionOfNames } from "./group-names.ts";

/** POST /v1/insights/summary, an addition to the interface: every value, with its uncertainty. */
export const insightsSummaryRoute: QuestionRoute = {
  access: "session",
  scope: "read",
  method: "POST",
  path: insightsSummaryPath,
  parse: async (body, { services, accountId }) => {
    const question = summaryQuestion(validated(insightsSummaryRequestSchema, body));
    const revision = await revisionOfNames(services, accountId, question.groupBy);
    return {
      key: JSON.stringify([question, revision]),
      reply: async (call) => {
        const found = await services.facts.summary(accountId, question, call.signal);
        const names = await groupNames(services, { accountId, revision }, question.groupBy);
        return writeInTurns(call, {
          bytesMost: summaryBytesMost(found),
          steps: summaryJson(question, found, (groups) => names(groups, found.keyOf)),
        });
      },
    };
  },
};
