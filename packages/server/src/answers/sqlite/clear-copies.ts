import type { SqliteDatabase } from "../../platform/sqlite.ts";

/**
 * TRICKY: when rows are deleted, SQLite moves others between pages, and leaves copies of them in
 * the unused parts of these, whatever `secure_delete` says. Nothing finds such a copy again, also
 * when its row is removed in turn. Where there may be any, the file says so in this header field.
 */
const hasCopies = 1;

/** Notes, within a transaction, that unused parts of the file may have copies of texts. */
export function noteCopies(database: SqliteDatabase): void {
  database.pragma(`application_id = ${hasCopies}`);
}

/**
 * Writes the file anew when it may have such copies: some four seconds of a processor for each
 * gigabyte, in which nobody writes to it. Who dies before its end leaves the note.
 */
export function clearCopies(database: SqliteDatabase): void {
  if (database.pragma("application_id", { simple: true }) !== hasCopies) return;
  database.exec("vacuum");
  database.pragma("application_id = 0");
}
