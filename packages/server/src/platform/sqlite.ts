import { accessSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import Database from "better-sqlite3";

/** A connection to a SQLite file. */
export type SqliteDatabase = Database.Database;

/** How long a statement waits for another process's write before it fails. */
const busyTimeoutMs = 30_000;
/** Delay between attempts where SQLite does not wait by itself. */
const busyPauseMs = 2;

/** Options for opening a file. */
interface SqliteOptions {
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

/** Whether a file is on a file system that is mounted read-only, such as a snapshot. */
export function isOnReadOnlyMount(path: string): boolean {
  try {
    accessSync(dirname(path), constants.W_OK);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EROFS";
  }
}

/** A copy of a SQLite file and its log, in its own folder. */
interface SqliteCopy {
  readonly path: string;
  /** Removes the copy. Open connections keep working. */
  readonly remove: () => void;
}

/**
 * Copies a SQLite file of a read-only mount. TRICKY: to read a file with a write-ahead log, SQLite
 * creates two files beside it; better-sqlite3 accepts no URI with `immutable=1`.
 */
function copySqliteFile(path: string): SqliteCopy {
  const folder = mkdtempSync(join(tmpdir(), "sightline-read-only-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, basename(path));
    for (const end of ["", "-wal"]) {
      if (existsSync(`${path}${end}`)) copyFileSync(`${path}${end}`, `${copy}${end}`);
    }
    return { path: copy, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * The faults of a SQLite file: SQLite's own check of its structure, then `more`. Empty when there
 * are none. An unreadable file is one fault.
 */
export function checkSqlite(
  path: string,
  more: (database: SqliteDatabase) => readonly string[],
): readonly string[] {
  let database: SqliteDatabase | null = null;
  try {
    database = openSqlite(path, { readonly: true });
    const structure = integrityOf(database);
    return structure.length > 0 ? structure : more(database);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    database?.close();
  }
}

function integrityOf(database: SqliteDatabase): readonly string[] {
  const rows = database.pragma("integrity_check") as readonly { integrity_check: string }[];
  const keys = database.pragma("foreign_key_check") as readonly { table: string }[];
  return [
    ...rows.map((row) => row.integrity_check).filter((text) => text !== "ok"),
    ...keys.map(({ table }) => `a row of ${table} belongs to nothing`),
  ];
}
