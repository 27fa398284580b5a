import Database from "better-sqlite3";

/** A connection to a SQLite file. */
export type SqliteDatabase = Database.Database;

/** How long a statement waits for another process's write before it fails. */
const busyTimeoutMs = 30_000;

/**
 * Opens (and makes) a SQLite file for several processes: write-ahead log, and a commit that is on
 * the disk when it returns (`synchronous=FULL`), which also outlives a power loss.
 */
export function openSqlite(path: string, options: { readonly readonly?: boolean } = {}) {
  const database = new Database(path, {
    readonly: options.readonly ?? false,
    timeout: busyTimeoutMs,
  });
  if (options.readonly !== true) {
    database.pragma("journal_mode = WAL");
    database.pragma("synchronous = FULL");
    database.pragma("foreign_keys = ON");
  }
  // A hostile or damaged file must not run code of its own through its schema.
  database.pragma("trusted_schema = OFF");
  return database;
}

/**
 * Takes a file's exclusive lock for as long as the process lives; null when another process holds
 * it. The lock is the operating system's, so it also ends with `kill -9`.
 */
export function takeExclusiveLock(path: string): SqliteDatabase | null {
  const database = new Database(path, { timeout: 0 });
  try {
    database.pragma("journal_mode = DELETE");
    database.pragma("locking_mode = EXCLUSIVE");
    database.exec("BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY")) return null;
    throw error;
  }
}
