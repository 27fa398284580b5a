import type { Vendor } from "@sightline/contract";
import type { RecordEnd } from "../accounts/progress-store.ts";
import { type Answer, type AnswerCollection, type Outcome, outcomes } from "./answer.ts";

/** Which recorded answers are meant: those that meet every condition. Null: no condition. */
export interface AnswerSelection {
  /** UUIDs in lower case, as those of prompts and imports. */
  readonly ids: readonly string[] | null;
  /** The import that recorded them. */
  readonly importId: string | null;
  readonly promptIds: readonly string[] | null;
  readonly providers: readonly Answer["provider"][] | null;
  /** In upper case. */
  readonly regions: readonly string[] | null;
  /** Milliseconds since 1970; included. */
  readonly fromMs: number | null;
  /** Milliseconds since 1970; not included. */
  readonly toMs: number | null;
}

/** Every answer. */
export const everyAnswer: AnswerSelection = {
  ids: null,
  importId: null,
  promptIds: null,
  providers: null,
  regions: null,
  fromMs: null,
  toMs: null,
};

/** What a vendor replied when it was asked for an answer, as it is kept beside the record. */
export interface RawReply {
  /** In lower case. The answer may not be recorded yet. */
  readonly answerId: string;
  readonly vendor: Vendor;
  /** When the last reply came, in milliseconds since 1970. */
  readonly at: number;
  /** The exchanges, in order, as JSON compressed with zstd; at most `rawBytesMax`. */
  readonly body: Uint8Array;
}

/** Some of the replies that were asked for. */
export interface RawReplies {
  /** By id; those that are not kept are left out. */
  readonly replies: readonly RawReply[];
  /** The ids that were not looked at, since the others are large. */
  readonly unread: readonly string[];
}

/**
 * The instant of what does not age: a removal of old replies leaves what was kept then, unless it
 * is said to begin there.
 */
export const unagingAt = 0;

/** The most bytes of one body. A reply has at most 10 MB before it is compressed. */
export const rawBytesMax = 10 * 1024 * 1024;

/** One read returns about this much at most, regardless of its limit. */
export const rawReadBytesMax = 32 * 1024 * 1024;

/** @throws RangeError when it cannot be kept: a fault of the caller. */
export function requireKeepable({ at, body }: RawReply): void {
  if (!Number.isSafeInteger(at) || at < 0) throw new RangeError(`${at} is not an instant`);
  if (body.length <= rawBytesMax) return;
  const message = `a raw reply has at most ${rawBytesMax} bytes, and this one has ${body.length}`;
  throw new RangeError(message);
}

/** The result of recording one answer. */
export type Recording = "accepted" | "duplicate" | "conflict";

/** A recorded answer with its sequence number. */
export interface RecordedAnswer extends Answer {
  /** From 1, ascending in recording order; gaps are possible. */
  readonly sequence: number;
}

/** The parts of an answer that facts are derived from. */
export interface RecordedContent
  extends Pick<
    RecordedAnswer,
    | "sequence"
    | "promptId"
    | "provider"
    | "region"
    | "answeredAt"
    | "outcome"
    | "text"
    | "model"
    | "surface"
    | "searchQueries"
  > {
  readonly citations: RecordedAnswer["citations"];
  /** See RemovedText; null: the text is there. */
  readonly mentioned: readonly string[] | null;
  /** See RecordMark. */
  readonly stamp: string;
}

/** A position in one record; no other record has the same mark. */
export interface RecordMark {
  readonly sequence: number;
  /**
   * The record's id, and the id and recording time of the answer at the position. An older copy of
   * the record to which other answers were added has another stamp there.
   */
  readonly stamp: string;
}

/** The position before the first answer of any record. */
export const recordBeginning: RecordMark = { sequence: 0, stamp: "" };

/** A range of answers to read. */
export interface RecordRange {
  /** Only answers after this sequence number. */
  readonly after: number;
  readonly limit: number;
}

/** A range of contents to read. */
export interface ContentRange {
  /** Only answers after this mark. */
  readonly after: RecordMark;
  readonly limit: number;
}

/** Which texts are removed, and what of them stays. */
export interface TextRemoval {
  /** Those of answers in this half-open range, in milliseconds since 1970. */
  readonly fromMs: number;
  readonly beforeMs: number;
  /** The most answers of one call. */
  readonly limit: number;
  /** The ids of the entities that an answer mentions, in order of first mention. */
  readonly mentionedIn: (answer: Pick<Answer, "text" | "citations">) => readonly string[];
}

/** What a call removed. */
export interface TextsRemoved {
  /** Answers; 0: there are no more. */
  readonly answers: number;
  /** `fromMs` of the next call: no text before it is left. */
  readonly nextMs: number;
}

/** The record cannot be read: it is damaged, or the operating system denies access. */
export class RecordError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = "RecordError";
  }
}

/** The record does not have the mark after which to read. */
export class OtherRecordError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "OtherRecordError";
  }
}

/**
 * The record of answers: the source of truth from which facts are derived. Methods take the account
 * first.
 */
export interface AnswerStore {
  /**
   * Records answers, all in one transaction that is on the disk when this resolves. The same id
   * with the same content is a duplicate, with other content a conflict; neither is stored. Each
   * answer is asked for when the one before is recorded, within the transaction. Those that are
   * accepted belong to the import, when its id is given.
   * @returns what became of each, in the order given.
   */
  readonly record: (
    accountId: string,
    answers: Iterable<Answer>,
    importId?: string,
  ) => Promise<readonly Recording[]>;
  /** How many answers are selected. @throws RecordError. */
  readonly count: (accountId: string, selection: AnswerSelection) => Promise<number>;
  /**
   * Removes answers for good, with raw replies, and their texts from the disk; then the record has
   * another id, so that no mark of before holds. Repeating it after it failed removes the rest.
   * @returns how many there were. @throws RecordError.
   */
  readonly remove: (accountId: string, selection: AnswerSelection) => Promise<number>;
  /**
   * Removes the oldest texts for good, and what may quote them: titles of citations, metadata,
   * search queries and raw replies. What they mentioned stays, so that facts of the record are the
   * same (docs/decisions/removal.md). Also when nothing is to be removed, texts that were removed
   * before are then not on the disk any more.
   * @throws RecordError.
   */
  readonly removeTexts: (accountId: string, removal: TextRemoval) => Promise<TextsRemoved>;
  /**
   * Keeps the exchanges that gave an answer, in place of those kept before; on the disk when this
   * resolves. The answer may be recorded later, or never. Not to be called for an account that was
   * deleted. @throws RangeError when the body is longer than `rawBytesMax`; RecordError.
   */
  readonly keepRaw: (accountId: string, reply: RawReply) => Promise<void>;
  /** What is kept of an answer, its id in lower case; null: nothing. @throws RecordError. */
  readonly raw: (accountId: string, answerId: string) => Promise<RawReply | null>;
  /**
   * What is kept of some answers, their ids in lower case; about `rawReadBytesMax` at most, and the
   * first of them at least. @throws RecordError.
   */
  readonly rawsOf: (accountId: string, answerIds: readonly string[]) => Promise<RawReplies>;
  /**
   * By answer id, after one of them; null: from the first. Possibly fewer than the limit when they
   * are large; empty at the end. @throws RecordError.
   */
  readonly rawReplies: (
    accountId: string,
    after: string | null,
    limit: number,
  ) => Promise<readonly RawReply[]>;
  /**
   * Removes the raw replies that were kept before an instant, in milliseconds since 1970, for good;
   * their answers stay as they are. `fromMs`: those kept from then on; after `unagingAt` when it is
   * omitted. @returns how many there were. @throws RecordError.
   */
  readonly removeRaw: (accountId: string, beforeMs: number, fromMs?: number) => Promise<number>;
  /** Removes what is kept under some ids, in lower case, for good. @throws RecordError. */
  readonly removeRawOf: (accountId: string, answerIds: readonly string[]) => Promise<void>;
  /**
   * Answers in recording order, possibly fewer than the limit when they are large; empty at the
   * end.
   */
  readonly read: (accountId: string, range: RecordRange) => Promise<readonly RecordedAnswer[]>;
  /**
   * The answers with these sequence numbers, in this order, read as they are taken: none stays in
   * memory longer than necessary. A number that the record does not have is left out.
   * @throws RecordError; any error when the signal aborts, also while an engine is waited for.
   */
  readonly at: (
    accountId: string,
    sequences: readonly number[],
    signal?: AbortSignal,
  ) => AsyncIterable<RecordedAnswer>;
  /** The answer with an id, in lower case; null: there is none. @throws RecordError. */
  readonly byId: (accountId: string, id: string) => Promise<RecordedAnswer | null>;
  /**
   * The sequence numbers of the answers with these ids, in lower case; those that the record does
   * not have are left out. @throws RecordError.
   */
  readonly sequencesOf: (
    accountId: string,
    ids: readonly string[],
  ) => Promise<ReadonlyMap<string, number>>;
  /**
   * The contents of a range of answers, one at a time, so that none stays in memory longer than
   * necessary. Do not use the account's record until the iteration has ended.
   * @throws OtherRecordError when the record does not have the mark; RecordError.
   */
  readonly each: (accountId: string, range: ContentRange) => AsyncIterable<RecordedContent>;
  /** Whether the record has this mark; every record has its beginning. @throws RecordError. */
  readonly has: (accountId: string, mark: RecordMark) => Promise<boolean>;
  /** How far the record goes. @throws RecordError. */
  readonly end: (accountId: string) => Promise<RecordEnd>;
  /** Removes the whole record of an account that was deleted, and its files. */
  readonly erase: (accountId: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Counts of a record. Instants are milliseconds since 1970, null when there is no answer. */
export interface RecordCounts {
  /** Every recorded answer, of any outcome. */
  readonly answers: number;
  /** The same by outcome; only `answered` counts in metrics. */
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** The instants of the earliest and the latest answer. */
  readonly first: number | null;
  readonly last: number | null;
  /** When the newest answer was recorded. */
  readonly lastImport: number | null;
}

/** The counts of a record without answers. */
export const noAnswers: RecordCounts = {
  answers: 0,
  first: null,
  last: null,
  lastImport: null,
  outcomes: countsOf([]),
};

/** Answers of one outcome. */
export interface OutcomeCount {
  readonly outcome: string;
  readonly answers: number;
}

/** Counts of every outcome, from those that there are. */
export function countsOf(counts: readonly OutcomeCount[]): Readonly<Record<Outcome, number>> {
  const found = outcomes.map((outcome) => {
    return [outcome, counts.find((each) => each.outcome === outcome)?.answers ?? 0] as const;
  });
  return Object.fromEntries(found) as Record<Outcome, number>;
}

/** Which answers are written: those of a half-open range, in milliseconds since 1970. */
interface AnswerLinesOptions {
  readonly accountId: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** Which of them; omitted: all. */
  readonly isTaken?: (answer: Answer) => boolean;
}

/** Answers per read. */
const pageAnswers = 1_000;

/**
 * Recorded answers as the lines that an import takes, in the order of recording, also those that
 * do not count; those that are recorded meanwhile are left out. Imported again, they are equal;
 * those whose text was removed say so, and no import takes them.
 */
export async function* answerLines(
  store: AnswerStore,
  { accountId, fromMs, toMs, isTaken = () => true }: AnswerLinesOptions,
): AsyncGenerator<string> {
  const { sequence: last } = await store.end(accountId);
  for (let after = 0; after < last; ) {
    const page = await store.read(accountId, { after, limit: pageAnswers });
    for (const { sequence, ...answer } of page) {
      after = sequence;
      if (after > last) return;
      if (answer.answeredAt < fromMs || answer.answeredAt >= toMs) continue;
      if (isTaken(answer)) yield lineOf(answer);
    }
    if (page.length === 0) return;
  }
}

/** What an import takes for granted is left out. */
function lineOf(answer: Answer): string {
  const { id, promptId, provider, region, outcome, text, model, surface, sample } = answer;
  const line = {
    id,
    promptId,
    provider,
    ...(region === null ? {} : { region }),
    answeredAt: new Date(answer.answeredAt).toISOString(),
    ...(outcome === "answered" ? {} : { outcome }),
    text,
    citations: answer.citations.map(({ url, title, cited, spans }) => ({
      url,
      ...(title === null ? {} : { title }),
      ...(cited ? {} : { cited }),
      ...(spans === undefined ? {} : { spans }),
    })),
    ...(model === null ? {} : { model }),
    ...(surface === null ? {} : { surface }),
    ...(sample === 0 ? {} : { sample }),
    ...(answer.metadata === null ? {} : { metadata: answer.metadata }),
    ...collectionOf(answer),
    ...(answer.removedText === undefined
      ? {}
      : { textRemoved: true, mentionedEntityIds: answer.removedText.mentioned }),
  };
  return `${JSON.stringify(line)}\n`;
}

function collectionOf({
  searchQueries,
  cost,
  vendor,
  requestedRegion,
}: AnswerCollection): Partial<AnswerCollection> {
  return {
    ...(searchQueries.length === 0 ? {} : { searchQueries }),
    ...(cost === null ? {} : { cost }),
    ...(vendor === null ? {} : { vendor }),
    ...(requestedRegion === null ? {} : { requestedRegion }),
  };
}
