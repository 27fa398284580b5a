import Database from "better-sqlite3";
import { copySqliteFile, isOnReadOnlyMount } from "./read-only.ts";

/** A connection to a SQLite file. */
export type SqliteDatabase = Database.Database;

/** How long a statement waits for another process's write before it fails. */
const busyTimeoutMs = 30_000;
/** Delay between attempts where SQLite does not wait by itself. */
const busyPauseMs = 2;

/** Options for opening a file. */
export interface SqliteOptions {
  readonly readonly?: boolean;
  /** Page size in bytes of a new file, a power of two up to 65,536; by default SQLite's 4,096. */
  readonly pageBytes?: number;
}

/** What to do about a file that SQLite reports as damaged, by error code. */
const remedies: Readonly<Record<string, string>> = {
  SQLITE_NOTADB: "Restore it from a backup; `sightline doctor` checks every file.",
  SQLITE_CORRUPT: "Restore it from a backup; `sightline doctor` checks every file.",
  SQLITE_FULL: "Free space on its disk, and try again.",
};

/**
 * Opens a SQLite file, or creates it, for several processes: write-ahead log, and commits that are
 * on the disk when they return (`synchronous=FULL`) and survive a power loss.
 * @throws SQLite's error, with the file and the remedy in its message.
 */
export function openSqlite(path: string, options: SqliteOptions = {}): SqliteDatabase {
  try {
    return opened(path, options);
  } catch (error) {
    if (error instanceof Database.SqliteError) {
      const remedy = remedies[error.code] ?? "";
      error.message = `${path}: ${error.message}. ${remedy}`.trimEnd();
    }
    throw error;
  }
}

function opened(path: string, options: SqliteOptions): SqliteDatabase {
  if (options.readonly === true && isOnReadOnlyMount(path)) return openCopy(path);
  const database = new Database(path, {
    readonly: options.readonly ?? false,
    timeout: busyTimeoutMs,
  });
  if (options.readonly !== true) {
    // Before the switch to the write-ahead log, which creates the file; an existing file keeps its
    // pages.
    if (options.pageBytes !== undefined) database.pragma(`page_size = ${options.pageBytes}`);
    useWriteAheadLog(database);
    database.pragma("synchronous = FULL");
    database.pragma("foreign_keys = ON");
  }
  // A hostile or damaged file must not run code of its own through its schema.
  database.pragma("trusted_schema = OFF");
  return database;
}

/** Opens a file of a read-only mount; no other process can write it. */
function openCopy(path: string): SqliteDatabase {
  const copy = copySqliteFile(path);
  try {
    const database = new Database(copy.path, { fileMustExist: true });
    database.pragma("trusted_schema = OFF");
    database.pragma("journal_mode = DELETE"); // moves the log into the file: no other is opened
    database.pragma("query_only = ON");
    return database;
  } finally {
    copy.remove();
  }
}

/**
 * TRICKY: when several processes open a new file simultaneously, the switch to the write-ahead log
 * fails immediately for some of them: SQLite ignores the timeout there.
 */
function useWriteAheadLog(database: SqliteDatabase): void {
  const end = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      database.pragma("journal_mode = WAL");
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyPauseMs);
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
}

/**
 * Takes a file's exclusive lock for the lifetime of the process; null when another process holds
 * it, and still does after `waitMs`. The lock belongs to the operating system, so it also ends with
 * `kill -9`.
 */
export function takeExclusiveLock(path: string, waitMs = 0): SqliteDatabase | null {
  const database = new Database(path, { timeout: waitMs });
  try {
    database.pragma("journal_mode = DELETE");
    database.pragma("locking_mode = EXCLUSIVE");
    database.exec("BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw error;
  }
}
