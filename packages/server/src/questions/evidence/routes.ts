import { hash } from "node:crypto";
import { evidenceRequestSchema, labelSampleRequestSchema, uuidSchema } from "@sightline/contract";
import { progressOf } from "../../accounts/progress-store.ts";
import type { AnswerPlace, EvidenceQuestion } from "../../facts/plan/places-plan.ts";
import { citedSourceOf, selectionOf } from "../../facts/plan/question.ts";
import { validated } from "../../http/body.ts";
import { declared, type Question } from "../../http/operation.ts";
import { ServiceError } from "../../platform/service-error.ts";
import type { LabelSampleQuestion } from "../label-sample.ts";
import { asksTags } from "../prompt-tags.ts";
import type { QuestionServices } from "../question-services.ts";
import type { EvidenceFacts } from "./evidence-facts.ts";

/** POST /v1/evidence, an addition to the interface: the answers behind a value. */
export const evidenceRoute: Question<QuestionServices> = {
  ...declared("evidence"),
  kind: "question",
  parse: async (services, { body, caller: { accountId: own } }) => {
    const {
      filters,
      exclude,
      entityId,
      role,
      limit,
      cursor: sent,
      ...source
    } = validated(evidenceRequestSchema, body);
    const cursor = sent === undefined ? null : readCursor(sent);
    const question: EvidenceQuestion = Object.freeze({
      selection: selectionOf({ filters, exclude }),
      entityId: entityId?.toLowerCase() ?? null,
      role,
      cites: citedSourceOf(source),
      limit,
      after: cursor?.after ?? null,
    });
    // Tags are of the workspace.
    const progress = asksTags(question) ? await progressOf(services.control, own) : null;
    return {
      key: JSON.stringify([question, sent, progress?.revision ?? null]),
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

/** POST /v1/labels/sample, an addition to the interface: answers drawn to be labelled. */
export const labelSampleRoute: Question<QuestionServices> = {
  ...declared("labelSample"),
  kind: "question",
  parse: async (services, { body, caller: { accountId: own } }) => {
    const { filters, exclude, entityId, ...draw } = validated(labelSampleRequestSchema, body);
    const question: LabelSampleQuestion = Object.freeze({
      ...draw,
      selection: selectionOf({ filters, exclude }),
      entityId: entityId.toLowerCase(),
    });
    // Tags are of the workspace.
    const progress = asksTags(question) ? await progressOf(services.control, own) : null;
    return {
      key: JSON.stringify([question, progress?.revision ?? null]),
      // Answers without a text are not drawn.
      showsTexts: true,
      reply: async ({ accountId, signal }) => {
        const found = await services.facts.labelSample(accountId, question, signal);
        const { answers, prompts, sample } = found;
        return Buffer.from(JSON.stringify({ answers, prompts, sample }));
      },
    };
  },
};

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

/** The list that a cursor goes on with; another list, or another build of its facts, differs. */
interface CursorList {
  readonly accountId: string;
  readonly generation: string;
  readonly question: Pick<EvidenceQuestion, "selection" | "entityId" | "role" | "cites">;
}

/** A cursor as it was sent. */
interface Cursor {
  /** Where the page before it ended. */
  readonly after: AnswerPlace;
  /** Says which list it is of. */
  readonly mark: Buffer;
}

const markBytes = 17;
const cursorBytes = markBytes + 16;
/** Base64url of that many bytes, which are a multiple of three: no padding, one spelling alone. */
const cursorPattern = /^[A-Za-z0-9_-]{44}$/;

/** The cursor of the page after this place. */
function cursorAfter(list: CursorList, { sequence, answeredAtMs }: AnswerPlace): string {
  const place = Buffer.alloc(cursorBytes - markBytes);
  place.writeBigInt64BE(BigInt(sequence), 0);
  place.writeBigInt64BE(BigInt(answeredAtMs), 8);
  return Buffer.concat([markOf(list), place]).toString("base64url");
}

/** @throws ServiceError invalid_request when no list has such a cursor. */
function readCursor(text: string): Cursor {
  if (!cursorPattern.test(text)) throw refused("wrong_format", "is not a cursor of this service.");
  const bytes = Buffer.from(text, "base64url");
  const sequence = Number(bytes.readBigInt64BE(markBytes));
  const answeredAtMs = Number(bytes.readBigInt64BE(markBytes + 8));
  if (!Number.isSafeInteger(sequence) || sequence < 1 || !Number.isSafeInteger(answeredAtMs)) {
    throw refused("wrong_format", "is not a cursor of this service.");
  }
  return { after: { sequence, answeredAtMs }, mark: bytes.subarray(0, markBytes) };
}

/** @throws ServiceError invalid_request when the cursor is of another list. */
function requireCursorOf({ mark }: Cursor, list: CursorList): void {
  if (mark.equals(markOf(list))) return;
  const other = "is of another question, or its facts were rebuilt since.";
  throw refused("not_allowed", other);
}

function markOf({ accountId, generation, question }: CursorList): Buffer {
  const { selection, entityId, role, cites } = question;
  const list = JSON.stringify([accountId, generation, selection, entityId, role, cites]);
  return hash("sha256", list, "buffer").subarray(0, markBytes);
}

function refused(code: "wrong_format" | "not_allowed", fault: string): ServiceError {
  const message = `${fault} Leave it out to begin with the first page.`;
  const errors = [{ path: "/cursor", code, message }] as const;
  return new ServiceError("invalid_request", `/cursor: ${message}`, { errors });
}
