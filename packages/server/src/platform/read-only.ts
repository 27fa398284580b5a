import { accessSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

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
export interface SqliteCopy {
  readonly path: string;
  /** Removes the copy. Open connections keep working. */
  readonly remove: () => void;
}

/**
 * Copies a SQLite file of a read-only mount. TRICKY: to read a file with a write-ahead log, SQLite
 * creates two files beside it; better-sqlite3 accepts no URI with `immutable=1`.
 */
export function copySqliteFile(path: string): SqliteCopy {
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
