import { evidencePath, evidenceRequestSchema } from "@sightline/contract";
import { citedSourceOf } from "../../../facts/plan/cited-source.ts";
import type { EvidenceQuestion } from "../../../facts/plan/evidence-question.ts";
import { selectionOf } from "../../../facts/plan/question.ts";
import type { QuestionRoute } from "../../../http/route.ts";
import { validated } from "../../../http/validation.ts";
import type { EvidenceFacts } from "../../evidence/evidence-facts.ts";
import { cursorAfter, readCursor, requireCursorOf } from "./cursor.ts";

/** POST /v1/evidence, an addition to the interface: the answers behind a value. */
export const evidenceRoute: QuestionRoute = {
  access: "session",
  scope: "read",
  method: "POST",
  path: evidencePath,
  parse: (body) => {
    const {
      filters,
      entityId,
      role,
      limit,
      cursor: sent,
      ...source
    } = validated(evidenceRequestSchema, body);
    const cursor = sent === undefined ? null : readCursor(sent);
    const question: EvidenceQuestion = Object.freeze({
      selection: selectionOf(filters),
      entityId: entityId?.toLowerCase() ?? null,
      role,
      cites: citedSourceOf(source),
      limit,
      after: cursor?.after ?? null,
    });
    return {
      key: JSON.stringify([question, sent]),
      showsTexts: true,
      reply: async ({ services, accountId, signal }) => {
        const found = await services.facts.evidence(accountId, question, signal);
        const list = { accountId, generation: found.generation, question };
        if (cursor !== null) requireCursorOf(cursor, list);
        return replyOf(found, found.last && cursorAfter(list, found.last));
      },
    };
  },
};

/** The answers are JSON already: they are not parsed for the reply, nor copied but once. */
function replyOf({ total, json }: EvidenceFacts, nextCursor: string | null): Buffer {
  const end = `],"nextCursor":${JSON.stringify(nextCursor)}}`;
  return Buffer.concat([Buffer.from(`{"total":${total},"answers":[`), json, Buffer.from(end)]);
}
