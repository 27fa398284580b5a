import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { DataFolder } from "../../platform/data-folder.ts";

/** A file that a backup cannot include. */
export interface MissingFile {
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
export interface AccountsInControl {
  readonly accounts: Iterable<string>;
  /** How many answers of an account are recorded; left out: none. */
  readonly answers: ReadonlyMap<string, number>;
}

/**
 * The records that a backup must contain, relative to the data folder: those of accounts in control
 * and of existing folders. An account without answers may have none.
 * @throws IncompleteBackupError when one is unreadable or missing.
 */
export function completeRecords(
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
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
