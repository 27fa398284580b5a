import { rmSync, writeFileSync } from "node:fs";
import { readWorkspaceFile } from "@sightline/server/workspace-file";
import { applyWorkspace } from "../../packages/server/src/accounts/apply-workspace.ts";
import { openStorage } from "../../packages/server/src/storage.ts";
import { answerLines } from "../generator/answer-texts.ts";
import { catalogueOf, workspaceFileOf } from "../generator/catalogue.ts";
import type { Workload } from "../generator/workload.ts";
import { type FilledAccount, sightline } from "./fill-sightline.ts";

/** Accounts of a data folder. */
export interface FilledAccounts {
  /** Those with answers. */
  readonly answered: readonly FilledAccount[];
  /** One that has none. */
  readonly empty: FilledAccount;
  /** The answers of one account, as NDJSON. */
  readonly file: string;
}

/** How many accounts to make, and how many of them have the workload's answers. */
export interface AccountCounts {
  readonly accounts: number;
  readonly answered: number;
}

/**
 * Makes a data folder with many accounts that track the same; one more has a key and no answer.
 * Accounts are declared in this process, as the commands do it; answers come by the real import.
 */
export async function fillAccounts(
  dataDir: string,
  workload: Workload,
  { accounts, answered }: AccountCounts,
): Promise<FilledAccounts> {
  rmSync(dataDir, { recursive: true, force: true });
  const storage = await openStorage(dataDir);
  const catalogue = catalogueOf(workload);
  const keyed: FilledAccount[] = [];
  try {
    for (let number = 0; number < accounts; number++) {
      const file = workspaceFileOf(catalogue, `Bench account ${number}`);
      const workspace = readWorkspaceFile(JSON.stringify(file));
      const { accountId } = workspace;
      await applyWorkspace(storage.control, accountId, workspace, { now: storage.clock.now() });
      if (number > answered) continue;
      const key = { name: "bench", expiresAt: null };
      keyed.push({ accountId, key: (await storage.keyRing.create(accountId, key)).key });
    }
  } finally {
    await storage.close();
  }
  const file = `${dataDir}/answers.ndjson`;
  writeFileSync(file, [...answerLines(workload)].join(""));
  const empty = keyed.pop();
  if (empty === undefined) throw new RangeError("no account");
  for (const { accountId } of keyed) {
    await sightline(dataDir, ["import", file, "--account", accountId]);
  }
  return { answered: keyed, empty, file };
}
