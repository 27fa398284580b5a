import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DataFolder } from "./data-folder.ts";
import type { Logger } from "./logger.ts";
import { isOnReadOnlyMount, type SqliteDatabase, takeExclusiveLock } from "./sqlite.ts";

/** Device and inode of each file that a server keeps open, by name. */
type ServedFiles = Readonly<Record<string, string | null>>;

/** The data folder itself comes first: when it was replaced, so was everything in it. */
const servedNames = [
  "",
  "server.lock",
  "pepper",
  "control.sqlite",
  "control.sqlite-wal",
  "control.sqlite-shm",
];

/** Commands that look whether a server runs hold its lock for a moment; a server keeps it. */
const probeMs = 200;

/** A server's watch over its open files. */
export interface ServedFilesWatch {
  /** Compares the files with their names: six file system calls. */
  readonly look: () => Promise<void>;
  /** Resolves with the name of a file that was deleted or replaced. */
  readonly lost: Promise<string>;
  readonly close: () => void;
}

/**
 * Watches the files of a server that has just opened them, and records them for commands on the
 * folder. Nothing else notices an unlinked file: SQLite and the operating system keep using it.
 */
export function watchServedFiles(folder: DataFolder, logger: Logger): ServedFilesWatch {
  const served = Object.fromEntries(
    servedNames.map((name) => [name, identityOf(join(folder.root, name))]),
  );
  const note = JSON.stringify(served);
  writeNote(folder.serverFiles, note);
  const { promise: lost, resolve } = Promise.withResolvers<string>();
  let found: string | null = null;
  return {
    lost,
    look: async () => {
      if (found !== null) return;
      found = lostFile(folder, served);
      if (found === null) return;
      logger.fatal({ error: found }, "a file of the data folder is lost; the server stops");
      resolve(found);
    },
    close: () => {
      // Another server may run in a folder that replaced this one.
      if (readNote(folder.serverFiles) === note) rmSync(folder.serverFiles, { force: true });
    },
  };
}

/**
 * Takes the lock of a data folder's server, and removes the record of a killed server. Null when a
 * server is running.
 */
export function takeServerLock({ serverLock, serverFiles }: DataFolder): SqliteDatabase | null {
  const isReadOnly = isOnReadOnlyMount(serverLock);
  // Without a lock that could be created, no server runs.
  if (isReadOnly && !existsSync(serverLock)) return takeExclusiveLock(":memory:");
  const lock = takeExclusiveLock(serverLock, probeMs);
  if (lock !== null && !isReadOnly) rmSync(serverFiles, { force: true });
  return lock;
}

/**
 * The first open file of a running server that no longer has its name, in words. Null when there is
 * none, or no server runs.
 */
export function unservedFile(folder: DataFolder): string | null {
  const note = readNote(folder.serverFiles);
  if (note === null) return null;
  const lost = lostFile(folder, JSON.parse(note) as ServedFiles);
  if (lost === null || !isServed(folder) || readNote(folder.serverFiles) !== note) return null;
  return `${lost} while a server had it open`;
}

/**
 * @throws when a running server has other files open than those of the folder: a write there, for
 * example a revocation, would never reach it.
 */
export function requireServedFiles(folder: DataFolder): void {
  const lost = unservedFile(folder);
  if (lost === null) return;
  throw new Error(
    `${lost}. What a command writes now does not reach the server, ` +
      "and may be lost. Stop the server, run `sightline doctor`, and repeat the command.",
  );
}

/** The first file that no longer has its name, in words; null when there is none. */
function lostFile({ root }: DataFolder, served: ServedFiles): string | null {
  for (const [name, before] of Object.entries(served)) {
    const path = join(root, name);
    const now = identityOf(path);
    if (before === null || now === before) continue;
    return `${path} was ${now === null ? "deleted or moved away" : "replaced"}`;
  }
  return null;
}

function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
}

/** The record may be of a killed server: only the lock decides. */
function isServed({ serverLock }: DataFolder): boolean {
  const lock = takeExclusiveLock(serverLock, probeMs);
  lock?.close();
  return lock === null;
}

function writeNote(path: string, note: string): void {
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, note, { mode: 0o600 });
  renameSync(fresh, path);
}

function readNote(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
