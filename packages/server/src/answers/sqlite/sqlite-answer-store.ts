import type { Clock } from "../../platform/clock.ts";
import type { DataFolder } from "../../platform/data-folder.ts";
import type { AnswerStore } from "../answer-store.ts";
import { type AccountRecord, openAccountRecord } from "./account-record.ts";

/** The most account files that stay open; the least recently used one is closed first. */
const openRecordsMax = 256;

/** The record in SQLite, a file per account. Synchronous: the server uses it in a worker. */
export function sqliteAnswerStore(folder: DataFolder, clock: Clock): AnswerStore {
  const open = new Map<string, AccountRecord>();
  const recordOf = (accountId: string): AccountRecord => {
    const found = open.get(accountId);
    if (found !== undefined) {
      open.delete(accountId);
      open.set(accountId, found);
      return found;
    }
    const opened = openAccountRecord(folder.account(accountId).answers, clock);
    open.set(accountId, opened);
    const [oldest] = open.keys();
    if (open.size > openRecordsMax && oldest !== undefined) {
      open.get(oldest)?.close();
      open.delete(oldest);
    }
    return opened;
  };
  return {
    record: (accountId, answers) => recordOf(accountId).record(answers),
    read: (accountId, range) => recordOf(accountId).read(range),
    each: (accountId, range) => recordOf(accountId).each(range),
    lastSequence: (accountId) => recordOf(accountId).lastSequence(),
    lastRecordedAt: (accountId) => recordOf(accountId).lastRecordedAt(),
    close: () => {
      for (const record of open.values()) record.close();
      open.clear();
    },
  };
}
