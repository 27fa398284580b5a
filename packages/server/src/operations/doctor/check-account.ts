import { statSync } from "node:fs";
import { join } from "node:path";
import { checkRecord, recordHas } from "../../answers/sqlite/account-record.ts";
import { checkFacts } from "../../facts/duckdb/facts-file.ts";
import type { DataFolder } from "../../platform/data-folder.ts";
import type { Findings } from "./findings.ts";

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
export interface AccountToCheck {
  readonly id: string;
  /** False: control can be read, and does not have it. */
  readonly isKnown: boolean;
  /** True: a server has the facts open, so they are skipped. */
  readonly isServed: boolean;
}

/** Checks an account's files, and whether they are consistent. */
export async function checkAccount(
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
