import {
  copyFileSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { rename } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import { create } from "tar";
import { accountsOfControl, answersInControl } from "../../control/check-control.ts";
import { type Clock, systemClock } from "../../platform/clock.ts";
import type { DataFolder } from "../../platform/data-folder.ts";
import { openSqlite } from "../../platform/sqlite.ts";
import { openStage, removeStaleStages } from "../../platform/stage.ts";
import { hashOfFile, type Manifest, type ManifestFile, manifestName } from "./manifest.ts";

/**
 * Writes a backup of a data folder, whose service may be running, to one file (tar, zstd): control,
 * every account's record, and the pepper. Facts are derived and left out. The file gets its name
 * once it is complete and on the disk. It holds the signing keys: protect it like the data folder.
 * @throws IncompleteBackupError when a record cannot be read; then there is no file.
 */
export async function backup(
  folder: DataFolder,
  target: string,
  clock: Clock = systemClock,
): Promise<Manifest> {
  const beginning = join(dirname(resolve(target)), `.${basename(target)}-`);
  await removeStaleStages(beginning); // of killed backups to the same target
  const { path: stage, remove } = openStage(beginning);
  try {
    // Records before control: control then has the prompt of every answer.
    const paths = completeRecords(folder, accountsInControl(folder));
    await copyAll(folder.root, stage, [...paths, "control.sqlite"]);
    if (existsSync(folder.pepper))
      copyFileSync(folder.pepper, join(stage, basename(folder.pepper)));
    const names = [...paths, "control.sqlite", ...(existsSync(folder.pepper) ? ["pepper"] : [])];
    const files: ManifestFile[] = [];
    for (const path of names) files.push(await described(stage, path));
    const createdAt = new Date(clock.now()).toISOString();
    const manifest: Manifest = { version: 1, createdAt, files };
    writeFileSync(join(stage, manifestName), JSON.stringify(manifest, null, 2));
    const archive = join(stage, "archive");
    await pipeline(
      create({ cwd: stage, portable: true }, [manifestName, ...names]),
      createZstdCompress(),
      createWriteStream(archive, { mode: 0o600, flush: true }),
    );
    await rename(archive, target);
    return manifest;
  } finally {
    await remove();
  }
}

/** @throws IncompleteBackupError when control cannot be read. */
function accountsInControl({ control }: DataFolder): AccountsInControl {
  const accounts = accountsOfControl(control);
  if (accounts !== null) return { accounts, answers: answersInControl(control) };
  throw new IncompleteBackupError([{ file: "control.sqlite", reason: "cannot be read" }]);
}

/** @throws IncompleteBackupError that names all that could not be copied. */
async function copyAll(root: string, stage: string, paths: readonly string[]): Promise<void> {
  const missing: MissingFile[] = [];
  for (const file of paths) {
    await copySqlite(root, stage, file).catch((error: unknown) => {
      missing.push({ file, reason: reasonOf(error) });
    });
  }
  if (missing.length > 0) throw new IncompleteBackupError(missing);
}

/** SQLite's online backup: a consistent copy, even with concurrent writers. */
async function copySqlite(root: string, stage: string, path: string): Promise<void> {
  const target = join(stage, path);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const source = openSqlite(join(root, path), { readonly: true });
  try {
    // Within one read: otherwise SQLite begins again after each write, and may never end.
    source.exec("begin");
    source.pragma("schema_version");
    await source.backup(target);
  } finally {
    source.close();
  }
}

async function described(stage: string, path: string): Promise<ManifestFile> {
  const copy = join(stage, path);
  return { path, bytes: statSync(copy).size, sha256: await hashOfFile(copy) };
}

/** A file that a backup cannot include. */
interface MissingFile {
  /** From the data folder's root. */
  readonly file: string;
  readonly reason: string;
}

/** A backup that would be incomplete; no file was written. */
export class IncompleteBackupError extends Error {
  readonly missing: readonly MissingFile[];

  constructor(missing: readonly MissingFile[]) {
    const lines = missing.map(({ file, reason }) => `\n  ${file}: ${reason}`).join("");
    super(
      `No backup was written: it would lack files (${missing.length}).${lines}\n` +
        "Repair or restore them, then back up again. sightline doctor checks every file.",
    );
    this.name = "IncompleteBackupError";
    this.missing = missing;
  }
}

/** The only valid names of accounts' folders: a backup with another could not be restored. */
const accountId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What control says of its accounts. */
interface AccountsInControl {
  readonly accounts: Iterable<string>;
  /** How many answers of an account are recorded; left out: none. */
  readonly answers: ReadonlyMap<string, number>;
}

/**
 * The records that a backup must contain, relative to the data folder: those of accounts in control
 * and of existing folders. An account without answers may have none.
 * @throws IncompleteBackupError when one is unreadable or missing.
 */
function completeRecords(
  { root }: DataFolder,
  { accounts, answers }: AccountsInControl,
): readonly string[] {
  const folders = readdirSync(join(root, "accounts")).filter((name) => accountId.test(name));
  const missing: MissingFile[] = [];
  const records = [...new Set([...accounts, ...folders])].toSorted().flatMap((id) => {
    const file = `accounts/${id}/answers.sqlite`;
    try {
      if (isThere(join(root, file))) return [file];
      if (isThere(join(root, `accounts/${id}/facts.duckdb`))) {
        missing.push({ file, reason: "is missing, although facts were derived from it" });
      } else if (answers.has(id)) {
        missing.push({ file, reason: "is missing, although answers were recorded in it" });
      }
    } catch (error) {
      missing.push({ file, reason: reasonOf(error) });
    }
    return [];
  });
  if (missing.length > 0) throw new IncompleteBackupError(missing);
  return records;
}

/** An error's text, as the reason why a file is missing. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
