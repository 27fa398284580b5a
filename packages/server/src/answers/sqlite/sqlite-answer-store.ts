import { existsSync, rmSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import type { Clock } from "../../platform/clock.ts";
import { type DataFolder, makeFolder } from "../../platform/data-folder.ts";
import { openSqlite, type SqliteDatabase } from "../../platform/sqlite.ts";
import { uuidText } from "../../platform/uuid.ts";
import {
  type AnswerStore,
  countsOf,
  noAnswers,
  OtherRecordError,
  type OutcomeCount,
  type RecordCounts,
  RecordError,
  requireKeepable,
} from "../answer-store.ts";
import { type AccountRecord, openAccountRecord } from "./account-record.ts";

/** The version of SQLite that stores records. */
export function sqliteVersion(): string {
  const database = new Database(":memory:");
  try {
    return String(database.prepare("SELECT sqlite_version()").pluck().get());
  } finally {
    database.close();
  }
}

/** Of an account without answers. */
const noReplies = { replies: [], unread: [] } as const;
const noEnd = { sequence: 0, recordedAtMs: null };

/**
 * The record in SQLite, a file per account, which is made with its first answer. What it does
 * blocks the thread: the server reads records in a worker.
 */
export function sqliteAnswerStore(folder: DataFolder, clock: Clock): AnswerStore {
  const files = new RecordFiles(folder, clock);
  return {
    record: async (accountId, answers, importId) => {
      makeFolder(folder.account(accountId).folder);
      return files.of(accountId).record(answers, importId);
    },
    count: (accountId, selection) =>
      files.use(accountId, (record) => record?.count(selection) ?? 0),
    remove: (accountId, selection) =>
      files.use(accountId, (record) => record?.remove(selection) ?? 0),
    removeTexts: (accountId, removal) =>
      files.use(accountId, (record) => {
        const none = { answers: 0, nextMs: removal.beforeMs };
        return record?.removeTexts(removal) ?? none;
      }),
    keepRaw: async (accountId, reply) => {
      requireKeepable(reply);
      makeFolder(folder.account(accountId).folder);
      try {
        files.of(accountId).keepRaw(reply);
      } catch (error) {
        throw files.failed(accountId, error);
      }
    },
    raw: (accountId, id) => files.use(accountId, (record) => record?.raw(id) ?? null),
    rawsOf: (accountId, answerIds) =>
      files.use(accountId, (record) => record?.rawsOf(answerIds) ?? noReplies),
    rawReplies: (accountId, after, limit) =>
      files.use(accountId, (record) => record?.rawReplies(after, limit) ?? []),
    removeRaw: (accountId, beforeMs, fromMs) =>
      files.use(accountId, (record) => record?.removeRaw(beforeMs, fromMs) ?? 0),
    removeRawOf: (accountId, answerIds) =>
      files.use(accountId, (record) => record?.removeRawOf(answerIds)),
    read: async (accountId, range) => files.existing(accountId)?.read(range) ?? [],
    async *at(accountId, sequences, signal) {
      for (const each of sequences) {
        signal?.throwIfAborted();
        yield* await files.use(accountId, (record) => record?.at(each) ?? []);
      }
    },
    byId: (accountId, id) => files.use(accountId, (record) => record?.byId(id) ?? null),
    sequencesOf: (accountId, ids) =>
      files.use(accountId, (record) => record?.sequencesOf(ids) ?? new Map()),
    async *each(accountId, range) {
      try {
        const record = files.existing(accountId);
        if (record !== null) yield* record.each(range);
        else if (range.after.sequence > 0) throw new OtherRecordError("there is no record");
      } catch (error) {
        throw files.failed(accountId, error);
      }
    },
    has: (accountId, mark) =>
      files.use(accountId, (record) => record?.has(mark) ?? mark.sequence === 0),
    end: (accountId) => files.use(accountId, (record) => record?.end() ?? noEnd),
    erase: async (accountId) => files.erase(accountId),
    close: async () => files.close(),
  };
}

/** The maximum number of open account files; the least recently used one is closed first. */
const openRecordsMax = 256;
/** One call of the file system for each open file: a thousandth of a core. */
const closeErasedEveryMs = 1_000;

interface OpenRecord {
  readonly record: AccountRecord;
  /** Identity of the file, independent of its name. */
  readonly file: string | null;
}

/** The accounts' files, each opened when it is used. */
class RecordFiles {
  readonly #folder: DataFolder;
  readonly #clock: Clock;
  readonly #open = new Map<string, OpenRecord>();
  #timer: NodeJS.Timeout | null = null;

  constructor(folder: DataFolder, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /** An account's record, whose file is made if necessary. */
  of(accountId: string): AccountRecord {
    const path = this.#folder.account(accountId).answers;
    const found = this.#open.get(accountId);
    // A connection keeps its file when another one replaces it.
    if (found !== undefined && found.file !== null && found.file === fileAt(path)) {
      this.#open.delete(accountId);
      this.#open.set(accountId, found);
      return found.record;
    }
    this.#close(accountId);
    const record = openAccountRecord(path, this.#clock);
    this.#open.set(accountId, { record, file: fileAt(path) });
    this.#timer ??= setInterval(() => this.#closeErased(), closeErasedEveryMs).unref();
    const [oldest] = this.#open.keys();
    if (this.#open.size > openRecordsMax && oldest !== undefined) this.#close(oldest);
    return record;
  }

  /** The record of an account that has one; null: nothing was recorded yet. */
  existing(accountId: string): AccountRecord | null {
    if (fileAt(this.#folder.account(accountId).answers) !== null) return this.of(accountId);
    this.#close(accountId);
    return null;
  }

  /** Works on the record of an account, if it has one. @throws RecordError. */
  async use<Result>(
    accountId: string,
    work: (record: AccountRecord | null) => Result | Promise<Result>,
  ): Promise<Result> {
    try {
      return await work(this.existing(accountId));
    } catch (error) {
      throw this.failed(accountId, error);
    }
  }

  /** A failed record is reopened the next time: it may have been repaired in place. */
  failed(accountId: string, error: unknown): Error {
    if (error instanceof OtherRecordError) return error;
    this.#close(accountId);
    return new RecordError(error);
  }

  /** The folder of an account, its facts too. */
  erase(accountId: string): void {
    this.#close(accountId);
    rmSync(this.#folder.account(accountId).folder, { recursive: true, force: true });
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    for (const accountId of [...this.#open.keys()]) this.#close(accountId);
  }

  /** The space of a deleted file is free when nobody has it open. */
  #closeErased(): void {
    for (const accountId of [...this.#open.keys()]) {
      try {
        if (fileAt(this.#folder.account(accountId).answers) === null) this.#close(accountId);
      } catch {
        // The account's own fault, such as a folder that may not be read: its next use fails and
        // says so. A timer that throws ends the process, and so all accounts.
      }
    }
  }

  #close(accountId: string): void {
    this.#open.get(accountId)?.record.close();
    this.#open.delete(accountId);
  }
}

function fileAt(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.dev}/${stat.ino}`;
}

export type { RecordCounts };

const selectCounts = `
  select count(*) as answers, min(answered_at) as first, max(answered_at) as last,
    max(recorded_at) as lastImport
  from answers`;

const selectByOutcome = "select outcome, count(*) as answers from answers group by outcome";

/** Only `answered` counts in metrics. */
const selectByPrompt = `
  select prompt_id as promptId, count(*) as answers
  from answers where outcome = 'answered' group by prompt_id`;

/** Counts a record's answers by reading all of it; a missing file has none. */
export function countAnswers(path: string): RecordCounts {
  const count = (database: SqliteDatabase): RecordCounts => {
    const counts = database.prepare<[], Omit<RecordCounts, "outcomes">>(selectCounts).get();
    const outcomes = database.prepare<[], OutcomeCount>(selectByOutcome).all();
    return { ...noAnswers, ...counts, outcomes: countsOf(outcomes) };
  };
  return reading(path, count) ?? noAnswers;
}

/** The number of counted answers of each prompt; prompts without any are absent. */
export function countAnswersByPrompt(path: string): ReadonlyMap<string, number> {
  const count = (database: SqliteDatabase) =>
    database.prepare<[], { promptId: Buffer; answers: number }>(selectByPrompt).all();
  const rows = reading(path, count) ?? [];
  return new Map(rows.map(({ promptId, answers }) => [uuidText(promptId), answers]));
}

/** Null when there is no file; none is created. */
function reading<Result>(path: string, read: (database: SqliteDatabase) => Result): Result | null {
  if (!existsSync(path)) return null;
  const database = openSqlite(path, { readonly: true });
  try {
    return read(database);
  } finally {
    database.close();
  }
}
