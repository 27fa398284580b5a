import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { checkRecord, recordHas } from "../../answers/sqlite/account-record.ts";
import { auditFaults } from "../../audit/audit-log.ts";
import {
  accountsOfControl,
  answersInControl,
  checkControl,
  countKeys,
  isControlEarlier,
} from "../../control/check-control.ts";
import { checkFacts } from "../../facts/duckdb/facts-file.ts";
import { readPepper } from "../../keys/pepper.ts";
import type { DataFolder } from "../../platform/data-folder.ts";
import { takeServerLock, unservedFile } from "../../platform/served-files.ts";
import { reportFaults } from "../../reports/check-reports.ts";
import { type Fault, Findings } from "./findings.ts";

const earlierVersion =
  "it is of an earlier version of Sightline, whose tables are whole. Start the server, which " +
  "migrates it, and run `sightline doctor` again to compare what is in them with its hashes.";

/** What the doctor found. */
export interface Diagnosis {
  readonly ok: boolean;
  /** Files that were read completely, relative to the data folder. */
  readonly checked: readonly string[];
  readonly faults: readonly Fault[];
  /** Files that could not be checked now, and why. */
  readonly skipped: readonly Fault[];
}

/**
 * Reads and checks every file of a data folder completely, and compares the files with each other.
 * Changes nothing. Control and records may be in use; facts are checked only when no server runs,
 * since a server opens them exclusively.
 */
export async function diagnose(folder: DataFolder): Promise<Diagnosis> {
  const lock = takeServerLock(folder);
  const findings = new Findings(folder.root);
  try {
    const unserved = lock === null ? unservedFile(folder) : null;
    if (unserved !== null) findings.faults.push({ file: ".", fault: unserved });
    await findings.look("control.sqlite", (path) =>
      checkControl(path, [auditFaults, reportFaults]),
    );
    if (isControlEarlier(folder.control)) findings.skip("control.sqlite", earlierVersion);
    await findings.look("pepper", checkPepper);
    findings.faults.push(...missingPepper(folder));
    const known = accountsOfControl(folder.control);
    for (const id of readdirSync(join(folder.root, "accounts")).toSorted()) {
      const isKnown = known?.has(id) ?? true;
      await checkAccount(folder, { id, isKnown, isServed: lock === null }, findings);
    }
    findings.faults.push(...missingRecords(folder));
  } finally {
    lock?.close();
  }
  const { checked, faults, skipped } = findings;
  return { ok: faults.length === 0, checked, faults, skipped };
}

/** Records without facts beside them; those with facts are found with the account's files. */
function missingRecords({ root, control }: DataFolder): readonly Fault[] {
  return [...answersInControl(control)].flatMap(([id, answers]) => {
    const file = `accounts/${id}/answers.sqlite`;
    const others = [file, `accounts/${id}/facts.duckdb`];
    if (others.some((each) => existsSync(join(root, each)))) return [];
    const fault = `is missing, although imports noted answers (${answers}); restore a backup`;
    return [{ file, fault }];
  });
}

function missingPepper({ control, pepper }: DataFolder): readonly Fault[] {
  const keys = existsSync(pepper) ? 0 : (countKeys(control) ?? 0);
  if (keys === 0) return [];
  const fault = `is missing, but keys exist (${keys}); put back the pepper of a backup`;
  return [{ file: "pepper", fault }];
}

function checkPepper(path: string): readonly string[] {
  try {
    readPepper(path);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

const unknownAccount =
  "control has no such account, so it is not served. Restore a backup whose " +
  "control has it, or move the folder away.";
const missingRecord =
  "is missing, although facts were derived from it. Restore a backup: its answers are lost, and " +
  "a server that starts drops the facts.";
const otherRecord =
  "is ahead of its record or belongs to another one: answers.sqlite was replaced. If " +
  "answers.sqlite is the right file, start the server to rebuild the facts; else restore a backup.";

/** What is known of an account before its files are checked. */
interface AccountToCheck {
  readonly id: string;
  /** False: control can be read, and does not have it. */
  readonly isKnown: boolean;
  /** True: a server has the facts open, so they are skipped. */
  readonly isServed: boolean;
}

/** Checks an account's files, and whether they are consistent. */
async function checkAccount(
  folder: DataFolder,
  { id, isKnown, isServed }: AccountToCheck,
  findings: Findings,
): Promise<void> {
  const accountFolder = `accounts/${id}`;
  const record = `${accountFolder}/answers.sqlite`;
  const facts = `${accountFolder}/facts.duckdb`;
  if (!isKnown) findings.fault(accountFolder, unknownAccount);
  const hasRecord = await findings.look(record, checkRecord);
  const hasFacts = isThere(join(folder.root, facts));
  if (!hasRecord && hasFacts) findings.fault(record, missingRecord);
  if (isServed) {
    findings.skip(facts, "a server is running; stop it to check the facts");
    return;
  }
  await findings.look(facts, async (path) => {
    const { fault, mark } = await checkFacts(path);
    if (fault !== null) return [fault];
    const recordPath = join(folder.root, record);
    const fits = mark === null || !hasRecord || recordFits(recordPath, mark);
    return fits ? [] : [otherRecord];
  });
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // findings.look says why
  }
}

function recordFits(path: string, mark: Parameters<typeof recordHas>[1]): boolean {
  try {
    return recordHas(path, mark);
  } catch {
    return true; // the record cannot be read, which is its own fault
  }
}
