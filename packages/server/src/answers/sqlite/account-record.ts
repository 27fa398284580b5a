import type { RecordEnd } from "../../accounts/progress-store.ts";
import type { Clock } from "../../platform/clock.ts";
import { checkSqlite, openSqlite, type SqliteDatabase } from "../../platform/sqlite.ts";
import { uuidBytes } from "../../platform/uuid.ts";
import { type Answer, contentHash, keptHash } from "../answer.ts";
import {
  type AnswerSelection,
  type ContentRange,
  OtherRecordError,
  type RecordedAnswer,
  type RecordedContent,
  type Recording,
  type RecordMark,
  type RecordRange,
  type TextRemoval,
  type TextsRemoved,
} from "../answer-store.ts";
import { type AnswerRow, type ContentRow, toAnswer, toContent, valuesOf } from "./answer-row.ts";
import { type RawRepliesOfRecord, rawRepliesOf } from "./raw-replies.ts";
import {
  clearCopies,
  createLayout,
  emptyLog,
  hasCollection,
  hasIdentity,
  hasRemovedTexts,
} from "./record-layout.ts";
import { countSelected, insertRemovedText, removeSelected, removeTexts } from "./removals.ts";

/** The open record of one account. */
export interface AccountRecord extends RawRepliesOfRecord {
  readonly record: (answers: Iterable<Answer>, importId?: string) => readonly Recording[];
  readonly count: (selection: AnswerSelection) => number;
  readonly remove: (selection: AnswerSelection) => Promise<number>;
  readonly removeTexts: (removal: TextRemoval) => Promise<TextsRemoved>;
  readonly read: (range: RecordRange) => readonly RecordedAnswer[];
  /** The answer at a sequence number, if there is one. */
  readonly at: (sequence: number) => readonly RecordedAnswer[];
  readonly byId: (id: string) => RecordedAnswer | null;
  readonly sequencesOf: (ids: readonly string[]) => ReadonlyMap<string, number>;
  readonly each: (range: ContentRange) => Iterable<RecordedContent>;
  readonly has: (mark: RecordMark) => boolean;
  readonly end: () => RecordEnd;
  readonly close: () => void;
}

/**
 * One read returns about this much at most, regardless of its limit: texts may have megabytes, and
 * a reader's memory must not grow with them.
 */
const readCharactersMax = 32 * 1024 * 1024;

/**
 * Answers have two or three kilobytes: on pages of 4,096 bytes most leave a gap. Pages of 16 KB
 * take half the time to write and two thirds of the space.
 */
const pageBytes = 16_384;

/**
 * KiB of pages that a connection caches. A follower of a record reads each page once, for hundreds
 * of accounts; a writer returns to the pages of its index.
 */
const cacheKiB = { reading: 1_024, writing: 16_000 };

/** The places of removed texts have blanks; see removeTexts. */
const contentColumns = `sequence, prompt_id, provider, region, answered_at, outcome,
  iif(mentioned is null, text, '') as text, citations, model, surface, mentioned`;

const columnsBefore = `${contentColumns}, id, sample,
  iif(mentioned is null, metadata, null) as metadata,
  iif(mentioned is null, null, lower(hex(content_hash))) as removed_hash`;

const queriesColumn = "iif(mentioned is null, search_queries, null) as search_queries";

const answerColumns = `${columnsBefore}, ${queriesColumn}, cost, vendor, requested_region`;

/** Of a record before layout 5, which is checked as it is. */
const earlierColumns = `${columnsBefore},
  null as search_queries, null as cost, null as vendor, null as requested_region`;

const answersWith = (removed: string) => `answers left join ${removed} using (sequence)`;

const allAnswers = answersWith("removed_texts");

const selectAnswers = `
  select ${answerColumns} from ${allAnswers} where sequence > ? order by sequence limit ?`;

const selectAt = `select ${answerColumns} from ${allAnswers} where sequence = ?`;

const selectById = `select ${answerColumns} from ${allAnswers} where id = ?`;

const selectSequence = "select sequence from answers where id = ?";

/** See RecordMark. */
const stamp = "(select hex(id) from identity) || '/' || hex(id) || '/' || recorded_at as stamp";

const selectContents = `
  select ${contentColumns}, ${queriesColumn}, ${stamp}
  from ${allAnswers} where sequence > ? order by sequence limit ?`;

const selectStamp = `select ${stamp} from answers where sequence = ?`;

const selectEnd = `
  select sequence, recorded_at as recordedAtMs from answers order by sequence desc limit 1`;

/** Opens one account's file, and creates it if necessary. */
export function openAccountRecord(path: string, clock: Clock): AccountRecord {
  const database = openSqlite(path, { pageBytes });
  createLayout(database, path);
  // Costs nothing more to write answers: a split page keeps no copy of what moved to another, and
  // free pages, which raw replies leave, are overwritten.
  database.pragma("secure_delete = on");
  const cache = (kib: number) => database.pragma(`cache_size = -${kib}`);
  cache(cacheKiB.reading);
  const write = answerWriter(database, clock);
  const select = database.prepare<[number, number], AnswerRow>(selectAnswers);
  const selectContent = database.prepare<[number, number], StampedRow>(selectContents);
  const end = database.prepare<[], RecordEnd>(selectEnd);
  const at = database.prepare<[number], AnswerRow>(selectAt);
  const sequence = database.prepare<[Buffer], number>(selectSequence).pluck();
  const byId = database.prepare<[Buffer], AnswerRow>(selectById);
  return {
    record: (answers, importId) => {
      cache(cacheKiB.writing);
      return write(answers, importId);
    },
    count: (selection) => countSelected(database, selection),
    remove: async (selection) => {
      const removed = removeSelected(database, selection);
      clearCopies(database);
      await emptyLog(database);
      return removed;
    },
    removeTexts: async (removal) => {
      clearCopies(database);
      const removed = removeTexts(database, removal, (sequence) => at.all(sequence).map(toAnswer));
      await emptyLog(database);
      return removed;
    },
    ...rawRepliesOf(database),
    read: ({ after, limit }) => [...readSome(select.iterate(after, limit), toAnswer)],
    at: (sequence) => at.all(sequence).map(toAnswer),
    byId: (id) => byId.all(uuidBytes(id)).map(toAnswer)[0] ?? null,
    sequencesOf: (ids) => {
      const found = new Map<string, number>();
      for (const id of ids) for (const place of sequence.all(uuidBytes(id))) found.set(id, place);
      return found;
    },
    each: ({ after, limit }) => {
      if (!hasMark(database, after)) {
        throw new OtherRecordError(`the record lacks the answer read last, at ${after.sequence}`);
      }
      return readSome(selectContent.iterate(after.sequence, limit), toStamped);
    },
    has: (mark) => hasMark(database, mark),
    end: () => end.get() ?? { sequence: 0, recordedAtMs: null },
    close: () => database.close(),
  };
}

interface StampedRow extends ContentRow {
  readonly stamp: string;
}

function toStamped(row: StampedRow): RecordedContent {
  return { ...toContent(row), stamp: row.stamp };
}

/** Whether a record has a mark; a record of layout 1, without an id, has none. */
function hasMark(database: SqliteDatabase, { sequence, stamp }: RecordMark): boolean {
  if (sequence === 0) return true;
  if (!hasIdentity(database)) return false;
  const select = database.prepare<[number], Pick<StampedRow, "stamp">>(selectStamp);
  return select.get(sequence)?.stamp === stamp;
}

/** Of a record before layout 4, which is checked as it is. */
const noRemovedTexts = "(select 0 as sequence, null as mentioned, null as kept_hash where false)";

const selectAll = (columns: string, answers: string) => `
  select ${columns}, content_hash, kept_hash from ${answers} order by sequence`;

/** An answer as it is stored, with the hash of what was recorded. */
interface StoredAnswer {
  readonly sequence: number;
  readonly hash: Buffer;
  /** Of what stays of it; null: its text is there. */
  readonly keptHash: Buffer | null;
  /**
   * Null when the stored row differs from what its answer would be stored as.
   * @throws when the row cannot be read at all.
   */
  readonly answer: () => RecordedAnswer | null;
}

interface RowHashes {
  readonly content_hash: Buffer;
  readonly kept_hash: Buffer | null;
}

/** Every answer of a record, for checking it. */
function* storedAnswers(database: SqliteDatabase): Generator<StoredAnswer> {
  const columns = hasCollection(database) ? answerColumns : earlierColumns;
  const answers = hasRemovedTexts(database) ? allAnswers : answersWith(noRemovedTexts);
  const select = database.prepare<[], AnswerRow & RowHashes>(selectAll(columns, answers));
  for (const row of select.iterate()) {
    const { sequence, content_hash: hash, kept_hash: keptHash } = row;
    yield { sequence, hash, keptHash, answer: () => asWritten(row) };
  }
}

/**
 * Damage, for example of a field's name, may leave the answer equal while the stored text differs.
 */
function asWritten(row: AnswerRow): RecordedAnswer | null {
  const answer = toAnswer(row);
  const metadata = answer.metadata === null ? null : JSON.stringify(answer.metadata);
  const isBlanked = row.mentioned !== null;
  const citations = isBlanked ? row.citations.trimEnd() : row.citations;
  const searchQueries = row.search_queries === null ? null : JSON.stringify(answer.searchQueries);
  const cost = answer.cost === null ? null : JSON.stringify(answer.cost);
  const same = JSON.stringify(answer.citations) === citations && metadata === row.metadata;
  const isCollectionSame = searchQueries === row.search_queries && cost === row.cost;
  return same && isCollectionSame ? answer : null;
}

/** Converts rows until they have readCharactersMax characters. */
function* readSome<Row extends ContentRow & { readonly metadata?: string | null }, Read>(
  rows: Iterable<Row>,
  toRead: (row: Row) => Read,
): Generator<Read> {
  let characters = 0;
  for (const row of rows) {
    yield toRead(row);
    characters += row.text.length + row.citations.length + (row.metadata?.length ?? 0);
    if (characters >= readCharactersMax) break;
  }
}

const insertBatch = `
  insert into batches (import_id, first_sequence, last_sequence) values (?, ?, ?)`;

const insertAnswer = `
  insert into answers (id, content_hash, prompt_id, provider, region, answered_at, outcome, text,
    citations, model, surface, sample, metadata, recorded_at, search_queries, cost, vendor,
    requested_region)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict (id) do nothing`;

const selectHash = "select content_hash from answers where id = ?";

/** Writes answers in one transaction. @returns what became of each, in the order given. */
type AnswerWriter = (answers: Iterable<Answer>, importId?: string) => readonly Recording[];

/** What writes into a record; see AnswerStore. */
function answerWriter(database: SqliteDatabase, clock: Clock): AnswerWriter {
  const insert = database.prepare(insertAnswer);
  const hashOf = database.prepare<[Buffer], { content_hash: Buffer }>(selectHash);
  const addBatch = database.prepare<[Buffer, number, number]>(insertBatch);
  const noteRemoved = database.prepare<[number, string, Buffer]>(insertRemovedText);
  const write = database.transaction((answers: Iterable<Answer>, importId?: string) => {
    let [first, last] = [0, 0];
    const recordings = Array.from(answers, (answer): Recording => {
      const hash = contentHash(answer);
      const id = uuidBytes(answer.id);
      const values = valuesOf(answer, { id, hash, recordedAt: clock.now() });
      const { changes, lastInsertRowid } = insert.run(...values);
      if (changes === 1) {
        last = Number(lastInsertRowid);
        first ||= last;
        const { removedText } = answer;
        if (removedText !== undefined) {
          const mentioned = JSON.stringify(removedText.mentioned);
          noteRemoved.run(last, mentioned, keptHash(answer, removedText));
        }
        return "accepted";
      }
      return hashOf.get(id)?.content_hash.equals(hash) === true ? "duplicate" : "conflict";
    });
    if (importId !== undefined && first > 0) addBatch.run(uuidBytes(importId), first, last);
    return recordings;
  });
  return (answers, importId) => write.immediate(answers, importId);
}

/**
 * The faults of an account's record: SQLite's own check of the file's structure, and each answer's
 * content against its recorded hash. Empty when there are none.
 */
export function checkRecord(path: string): readonly string[] {
  return checkSqlite(path, (database) =>
    storedAnswers(database)
      .filter((stored) => !isAsRecorded(stored))
      .map(({ sequence }) => `the answer at sequence ${sequence} differs from what was recorded`)
      .toArray(),
  );
}

/** Whether an account's record has a mark. @throws when the record cannot be read. */
export function recordHas(path: string, mark: RecordMark): boolean {
  const database = openSqlite(path, { readonly: true });
  try {
    return hasMark(database, mark);
  } finally {
    database.close();
  }
}

function isAsRecorded({ hash, keptHash: kept, answer }: StoredAnswer): boolean {
  try {
    const found = answer();
    if (found?.removedText !== undefined) {
      return kept !== null && keptHash(found, found.removedText).equals(kept);
    }
    return found !== null && kept === null && contentHash(found).equals(hash);
  } catch {
    return false; // it cannot be read at all
  }
}
