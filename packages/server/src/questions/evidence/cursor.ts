import { hash } from "node:crypto";
import type { AnswerPlace, EvidenceQuestion } from "../../facts/plan/evidence-question.ts";
import { ServiceError } from "../../platform/service-error.ts";

/** The list that a cursor goes on with; another list, or another build of its facts, differs. */
export interface CursorList {
  readonly accountId: string;
  readonly generation: string;
  readonly question: Pick<EvidenceQuestion, "selection" | "entityId" | "role" | "cites">;
}

/** A cursor as it was sent. */
export interface Cursor {
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
export function cursorAfter(list: CursorList, { sequence, answeredAtMs }: AnswerPlace): string {
  const place = Buffer.alloc(cursorBytes - markBytes);
  place.writeBigInt64BE(BigInt(sequence), 0);
  place.writeBigInt64BE(BigInt(answeredAtMs), 8);
  return Buffer.concat([markOf(list), place]).toString("base64url");
}

/** @throws ServiceError invalid_request when no list has such a cursor. */
export function readCursor(text: string): Cursor {
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
export function requireCursorOf({ mark }: Cursor, list: CursorList): void {
  if (mark.equals(markOf(list))) return;
  const other = "is of another question, or its facts were built anew since.";
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
