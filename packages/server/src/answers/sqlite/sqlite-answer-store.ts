import { statSync } from "node:fs";
import type { Clock } from "../../platform/clock.ts";
import type { DataFolder } from "../../platform/data-folder.ts";
import { type AnswerStore, OtherRecordError, RecordError } from "../answer-store.ts";
import { type AccountRecord, openAccountRecord } from "./account-record.ts";

/** The maximum number of open account files; the least recently used one is closed first. */
const openRecordsMax = 256;

interface OpenRecord {
  readonly record: AccountRecord;
  /** Identity of the file, independent of its name. */
  readonly file: string | null;
}

/** The record in SQLite, one file per account. Synchronous: the server uses it in a worker. */
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
  const reading = <Result>(accountId: string, read: (record: AccountRecord) => Result): Result => {
    try {
      return read(recordOf(accountId));
    } catch (error) {
      throw failed(accountId, error);
    }
  };
  return {
    record: (accountId, answers) => recordOf(accountId).record(answers),
    read: (accountId, range) => recordOf(accountId).read(range),
    *each(accountId, range) {
      try {
        yield* recordOf(accountId).each(range);
      } catch (error) {
        throw failed(accountId, error);
      }
    },
    has: (accountId, mark) => reading(accountId, (record) => record.has(mark)),
    lastSequence: (accountId) => reading(accountId, (record) => record.lastSequence()),
    lastRecordedAt: (accountId) => recordOf(accountId).lastRecordedAt(),
    close: () => {
      for (const accountId of [...open.keys()]) close(accountId);
    },
  };
}

function fileAt(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.dev}/${stat.ino}`;
}
