import { evidenceRequestSchema, uuidSchema } from "@sightline/contract";
import { citedSourceOf } from "../../facts/plan/cited-source.ts";
import type { EvidenceQuestion } from "../../facts/plan/evidence-question.ts";
import { selectionOf } from "../../facts/plan/question.ts";
import { validated } from "../../http/body.ts";
import { declared, type Question } from "../../http/operation.ts";
import { ServiceError } from "../../platform/service-error.ts";
import type { QuestionServices } from "../question-services.ts";
import { cursorAfter, readCursor, requireCursorOf } from "./cursor.ts";
import type { EvidenceFacts } from "./evidence-facts.ts";

/** POST /v1/evidence, an addition to the interface: the answers behind a value. */
export const evidenceRoute: Question<QuestionServices> = {
  ...declared("evidence"),
  kind: "question",
  parse: (services, { body }) => {
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
      reply: async ({ accountId, signal }) => {
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

/** GET /v1/answers/{id}, an addition to the interface: one answer as it was recorded. */
export const answerRoute: Question<QuestionServices> = {
  ...declared("answer"),
  kind: "question",
  parse: (services, { parameters: { id = "" } }) => {
    if (!uuidSchema.safeParse(id).success) throw noAnswer();
    const answerId = id.toLowerCase();
    return {
      key: answerId,
      showsTexts: true,
      reply: async ({ accountId, signal }) => {
        const { json } = await services.facts.answer(accountId, answerId, signal);
        if (json === null) throw noAnswer();
        return Buffer.from(json.buffer, json.byteOffset, json.byteLength);
      },
    };
  },
};

function noAnswer(): ServiceError {
  return new ServiceError("answer_not_found", "The account has no answer with this id.");
}
