import { checkSqlite } from "../../platform/check-sqlite.ts";
import { openSqlite } from "../../platform/sqlite.ts";
import type { RecordMark } from "../answer-store.ts";
import { contentHash, keptHash } from "../content-hash.ts";
import { hasMark, type StoredAnswer, storedAnswers } from "./account-record.ts";

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
