import type { RecordEnd } from "../control/progress-store.ts";
import type { Answer } from "./answer.ts";

/** What became of an answer that was handed to the record. */
export type Recording = "accepted" | "duplicate" | "conflict";

/** A recorded answer with its place in the record. */
export interface RecordedAnswer extends Answer {
  /** From 1, rising in the order of recording; gaps are possible. */
  readonly sequence: number;
}

/** What facts are made of. */
export interface RecordedContent
  extends Pick<
    RecordedAnswer,
    "sequence" | "promptId" | "provider" | "region" | "answeredAt" | "outcome" | "text"
  > {
  readonly citations: RecordedAnswer["citations"];
  /** See RecordMark. */
  readonly stamp: string;
}

/** A place in a record, which no other record has. */
export interface RecordMark {
  readonly sequence: number;
  /**
   * Of the record's own id, and the id and recording time of the answer at the place. An older copy
   * of the record to which other answers were added has another stamp there.
   */
  readonly stamp: string;
}

/** The place before the first answer of any record. */
export const recordBeginning: RecordMark = { sequence: 0, stamp: "" };

/** What a reader of the record asks for. */
export interface RecordRange {
  /** Only answers after this place. */
  readonly after: number;
  readonly limit: number;
}

/** What a reader of contents asks for. */
export interface ContentRange {
  /** Only answers after this place. */
  readonly after: RecordMark;
  readonly limit: number;
}

/** The record cannot be read: it is damaged, or the system does not let us. */
export class RecordError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = "RecordError";
  }
}

/** The record does not have the mark after which it was to be read. */
export class OtherRecordError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "OtherRecordError";
  }
}

/** The record of answers: the truth from which facts are derived. The account comes first. */
export interface AnswerStore {
  /**
   * Records answers, all in one transaction that is on the disk when this resolves. The same id
   * with the same content is a duplicate, with other content a conflict; neither is stored. Each
   * answer is asked for when the one before is recorded, within the transaction.
   * @returns what became of each, in the order given.
   */
  readonly record: (accountId: string, answers: Iterable<Answer>) => Promise<readonly Recording[]>;
  /**
   * Answers in the order of recording: none when there are none, and fewer than the limit when
   * they are large.
   */
  readonly read: (accountId: string, range: RecordRange) => Promise<readonly RecordedAnswer[]>;
  /**
   * What the same answers say, one at a time, so that none is held longer than it is looked at.
   * Nothing else may be asked of the account's record until they are through.
   * @throws OtherRecordError when the record does not have the mark; RecordError.
   */
  readonly each: (accountId: string, range: ContentRange) => AsyncIterable<RecordedContent>;
  /** Whether the record has this mark; every record has its beginning. @throws RecordError. */
  readonly has: (accountId: string, mark: RecordMark) => Promise<boolean>;
  /** How far the record goes. @throws RecordError. */
  readonly end: (accountId: string) => Promise<RecordEnd>;
  readonly close: () => Promise<void>;
}
