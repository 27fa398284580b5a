import { statSync } from "node:fs";
import type { Clock } from "../../platform/clock.ts";
import { type DataFolder, makeFolder } from "../../platform/data-folder.ts";
import { type AnswerStore, OtherRecordError, RecordError } from "../answer-store.ts";
import { type AccountRecord, openAccountRecord } from "./account-record.ts";

/** The maximum number of open account files; the least recently used one is closed first. */
const openRecordsMax = 256;

/** Of an account without answers. */
const noEnd = { sequence: 0, recordedAtMs: null };

interface OpenRecord {
  readonly record: AccountRecord;
  /** Identity of the file, independent of its name. */
  readonly file: string | null;
}

/**
 * The record in SQLite, a file per account, which is made with its first answer. What it does
 * blocks the thread: the server reads records in a worker.
 */
export function sqliteAnswerStore(folder: DataFolder, clock: Clock): AnswerStore {
  const open = new Map<string, OpenRecord>();
  const close = (accountId: string) => {
    open.get(accountId)?.record.close();
    open.delete(accountId);
  };
  const recordOf = (accountId: string): AccountRecord => {
    const path = folder.account(accountId).answers;
    const found = open.get(accountId);
    // A connection keeps its file when another one replaces it.
    if (found !== undefined && found.file !== null && found.file === fileAt(path)) {
      open.delete(accountId);
      open.set(accountId, found);
      return found.record;
    }
    close(accountId);
    const record = openAccountRecord(path, clock);
    open.set(accountId, { record, file: fileAt(path) });
    const [oldest] = open.keys();
    if (open.size > openRecordsMax && oldest !== undefined) close(oldest);
    return record;
  };
  /** A failed record is reopened the next time: it may have been repaired in place. */
  const failed = (accountId: string, error: unknown): Error => {
    if (error instanceof OtherRecordError) return error;
    close(accountId);
    return new RecordError(error);
  };
  /** The record of an account that has one; null: nothing was recorded yet. */
  const existing = (accountId: string): AccountRecord | null => {
    if (fileAt(folder.account(accountId).answers) !== null) return recordOf(accountId);
    close(accountId);
    return null;
  };
  const reading = async <Result>(
    accountId: string,
    read: (record: AccountRecord | null) => Result | Promise<Result>,
  ) => {
    try {
      return await read(existing(accountId));
    } catch (error) {
      throw failed(accountId, error);
    }
  };
  return {
    record: async (accountId, answers, importId) => {
      makeFolder(folder.account(accountId).folder);
      return recordOf(accountId).record(answers, importId);
    },
    count: (accountId, selection) => reading(accountId, (record) => record?.count(selection) ?? 0),
    remove: (accountId, selection) =>
      reading(accountId, (record) => record?.remove(selection) ?? 0),
    read: async (accountId, range) => existing(accountId)?.read(range) ?? [],
    async *at(accountId, sequences) {
      for (const each of sequences) {
        yield* await reading(accountId, (record) => record?.at(each) ?? []);
      }
    },
    byId: (accountId, id) => reading(accountId, (record) => record?.byId(id) ?? null),
    async *each(accountId, range) {
      try {
        const record = existing(accountId);
        if (record !== null) yield* record.each(range);
        else if (range.after.sequence > 0) throw new OtherRecordError("there is no record");
      } catch (error) {
        throw failed(accountId, error);
      }
    },
    has: (accountId, mark) =>
      reading(accountId, (record) => record?.has(mark) ?? mark.sequence === 0),
    end: (accountId) => reading(accountId, (record) => record?.end() ?? noEnd),
    close: async () => {
      for (const accountId of [...open.keys()]) close(accountId);
    },
  };
}

function fileAt(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.dev}/${stat.ino}`;
}
