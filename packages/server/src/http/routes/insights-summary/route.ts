import { insightsSummaryPath, insightsSummaryRequestSchema } from "@sightline/contract";
import { summaryQuestion } from "../../../analytics/question.ts";
import { summaryBytesMost, summaryJson } from "../../../analytics/summary.ts";
import type { QuestionRoute } from "../../route.ts";
import { validated } from "../../validation.ts";
import { writeInTurns } from "../../write-in-turns.ts";
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
