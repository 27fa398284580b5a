import type { SqliteDatabase } from "../../platform/sqlite.ts";

/**
 * TRICKY: when rows are deleted, SQLite moves others between pages, and leaves copies of them in
 * the unused parts of these, whatever `secure_delete` says. Nothing finds such a copy again, also
 * when its row is removed in turn. Where there may be any, this header field of the file is not 0:
 * another number after each removal, so that who clears the copies of one forgets no later one.
 */
const numbers = 0x7fff_ffff;

/** Notes, within a transaction, that unused parts of the file may have copies of texts. */
export function noteCopies(database: SqliteDatabase): void {
  database.pragma(`application_id = ${(notedIn(database) % numbers) + 1}`);
}

/**
 * Writes the file again when it may have such copies: some four seconds of a processor for each
 * gigabyte, in which nobody writes to it. A process that dies before its end leaves the note.
 */
export function clearCopies(database: Pick<SqliteDatabase, "exec" | "pragma">): void {
  const noted = notedIn(database);
  if (noted === 0) return;
  database.exec("vacuum");
  database.exec("begin immediate");
  try {
    // Another process may have removed answers as soon as the file was written.
    if (notedIn(database) === noted) database.pragma("application_id = 0");
  } finally {
    database.exec("commit");
  }
}

function notedIn(database: Pick<SqliteDatabase, "pragma">): number {
  return Number(database.pragma("application_id", { simple: true }));
}
