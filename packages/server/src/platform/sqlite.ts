import Database from "better-sqlite3";
import { copySqliteFile, isOnReadOnlyMount } from "./read-only.ts";

/** A connection to a SQLite file. */
export type SqliteDatabase = Database.Database;

/** How long a statement waits for another process's write before it fails. */
const busyTimeoutMs = 30_000;
/** Between attempts at what SQLite does not wait for by itself. */
const busyPauseMs = 2;

/** How a file is opened. */
export interface SqliteOptions {
  readonly readonly?: boolean;
  /** Of a file that is made: bytes of a page, a power of two up to 65,536; else SQLite's 4,096. */
  readonly pageBytes?: number;
}

/** What to do about a file that the engine calls damaged, by its code. */
const remedies: Readonly<Record<string, string>> = {
  SQLITE_NOTADB: "Restore it from a backup; `sightline doctor` checks every file.",
  SQLITE_CORRUPT: "Restore it from a backup; `sightline doctor` checks every file.",
  SQLITE_FULL: "Free space on its disk, and try again.",
};

/**
 * Opens (and makes) a SQLite file for several processes: write-ahead log, and a commit that is on
 * the disk when it returns (`synchronous=FULL`), which also outlives a power loss.
 * @throws the engine's error, with the file and the remedy in its message.
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
    // Before the switch to the log, which makes the file; one that is there keeps its pages.
    if (options.pageBytes !== undefined) database.pragma(`page_size = ${options.pageBytes}`);
    useWriteAheadLog(database);
    database.pragma("synchronous = FULL");
    database.pragma("foreign_keys = ON");
  }
  // A hostile or damaged file must not run code of its own through its schema.
  database.pragma("trusted_schema = OFF");
  return database;
}

/** Opens what a read-only mount holds; no other process can write it meanwhile. */
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
 * TRICKY: when several processes open a new file in the same moment, the switch to the write-ahead
 * log fails immediately for some of them: SQLite does not wait there, whatever the timeout says.
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
    if (isBusy(error)) return null;
    throw error;
  }
}
