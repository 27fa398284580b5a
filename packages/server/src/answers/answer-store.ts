import type { Answer } from "./answer.ts";

/** What became of an answer that was handed to the record. */
export type Recording = "accepted" | "duplicate" | "conflict";

/** A recorded answer with its place in the record. */
export interface RecordedAnswer extends Answer {
  /** From 1, rising in the order of recording; gaps are possible. */
  readonly sequence: number;
}

/** What facts are made of. */
export type RecordedContent = Pick<
  RecordedAnswer,
  "sequence" | "promptId" | "provider" | "region" | "answeredAt" | "outcome" | "text" | "citations"
>;

/** What a reader of the record asks for. */
export interface RecordRange {
  /** Only answers after this place. */
  readonly after: number;
  readonly limit: number;
}

/** The record of answers: the truth from which facts are derived. The account comes first. */
export interface AnswerStore {
  /**
   * Records answers, all in one transaction that is on the disk when this returns. The same id
   * with the same content is a duplicate, with other content a conflict; neither is stored. Each
   * answer is asked for when the one before is recorded, within the transaction.
   * @returns what became of each, in the order given.
   */
  readonly record: (accountId: string, answers: Iterable<Answer>) => readonly Recording[];
  /**
   * Answers in the order of recording: none when there are none, and fewer than the limit when
   * they are large.
   */
  readonly read: (accountId: string, range: RecordRange) => readonly RecordedAnswer[];
  /**
   * What the same answers say, one at a time, so that none is held longer than it is looked at.
   * Nothing else may be asked of the account's record until they are through.
   */
  readonly each: (accountId: string, range: RecordRange) => Iterable<RecordedContent>;
  /** The last place taken; 0 when nothing is recorded. */
  readonly lastSequence: (accountId: string) => number;
  /** When the newest answer was recorded, in milliseconds since 1970; null: none was. */
  readonly lastRecordedAt: (accountId: string) => number | null;
  readonly close: () => void;
}
