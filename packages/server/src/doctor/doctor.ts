import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { checkRecord } from "../answers/sqlite/check-record.ts";
import { readPepper } from "../auth/pepper.ts";
import { checkControl, countKeys } from "../control/check-control.ts";
import { checkFacts } from "../facts/duckdb/check-facts.ts";
import type { DataFolder } from "../platform/data-folder.ts";
import { takeServerLock, unservedFile } from "../platform/served-files.ts";

/** What the doctor found. */
export interface Diagnosis {
  readonly ok: boolean;
  /** Files that were read whole, from the data folder's root. */
  readonly checked: readonly string[];
  readonly faults: readonly Fault[];
  /** Files that could not be looked at now, and why. */
  readonly skipped: readonly Fault[];
}

/** Something that is wrong with a file. */
export interface Fault {
  readonly file: string;
  readonly fault: string;
}

/**
 * Reads every file of a data folder whole and checks it. Changes nothing. Control and records may
 * be in use; the facts are looked at only when no server runs, since it holds them alone.
 */
export async function diagnose(folder: DataFolder): Promise<Diagnosis> {
  const lock = takeServerLock(folder);
  const checked: string[] = [];
  const faults: Fault[] = [];
  const skipped: Fault[] = [];
  const look = async (file: string, check: (path: string) => Found | Promise<Found>) => {
    if (!existsSync(join(folder.root, file))) return;
    checked.push(file);
    for (const fault of await check(join(folder.root, file))) faults.push({ file, fault });
  };
  try {
    const unserved = lock === null ? unservedFile(folder) : null;
    if (unserved !== null) faults.push({ file: ".", fault: unserved });
    await look("control.sqlite", checkControl);
    await look("pepper", checkPepper);
    faults.push(...missingPepper(folder));
    for (const id of readdirSync(join(folder.root, "accounts")).toSorted()) {
      await look(`accounts/${id}/answers.sqlite`, checkRecord);
      const facts = `accounts/${id}/facts.duckdb`;
      if (lock !== null) await look(facts, checkFacts);
      else skipped.push({ file: facts, fault: "a server is running; stop it to check the facts" });
    }
  } finally {
    lock?.close();
  }
  return { ok: faults.length === 0, checked, faults, skipped };
}

type Found = readonly string[];

function missingPepper({ control, pepper }: DataFolder): readonly Fault[] {
  const keys = existsSync(pepper) ? 0 : (countKeys(control) ?? 0);
  if (keys === 0) return [];
  const fault = `is missing, but keys exist (${keys}); put back the pepper of a backup`;
  return [{ file: "pepper", fault }];
}

function checkPepper(path: string): Found {
  try {
    readPepper(path);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
