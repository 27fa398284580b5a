import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { allAccounts } from "@sightline/server/account-store";
import { forgetProjected } from "@sightline/server/progress-store";
import { type RereadReport, rereadRaw } from "@sightline/server/reread-raw";
import { takeServerLock } from "@sightline/server/served-files";
import { adapters } from "@sightline/server/vendor-adapters";
import { Command } from "commander";
import { withExamples } from "../examples.ts";
import { counted } from "../output/counted.ts";
import { CommandError, printResult } from "../result.ts";
import {
  accountOf,
  clusterPlace,
  type DataOptions,
  existingFolder,
  requireExisting,
  withStorage,
} from "../storage.ts";

interface RebuildOptions extends DataOptions {
  readonly account?: string;
  readonly afterRestore?: boolean;
  readonly raw?: boolean;
  readonly dryRun?: boolean;
}

/** `sightline rebuild`: drops facts, so that they are rebuilt from the record. */
export function rebuildCommand(): Command {
  const command = new Command("rebuild")
    .option("--account <id>", "only this account's facts")
    .option("--after-restore", "on several nodes: after an engine was restored from a backup")
    .option("--raw", "parse raw replies again instead, and replace the answers that differ")
    .option("--dry-run", "with --raw: count these answers, and replace none")
    .option("--data-dir <dir>", "folder of all data (default: SIGHTLINE_DATA_DIR, else ./data)")
    .option("--json", "print one JSON document")
    .action(runRebuild);
  return withExamples(
    command,
    ["sightline rebuild", "of every account, while no server runs"],
    ["sightline rebuild --raw --dry-run", "how many collected answers would be replaced"],
  );
}

async function runRebuild(options: RebuildOptions): Promise<void> {
  if (options.afterRestore === true) refuseAfterRestore(options);
  if (options.raw === true) return rereadReplies(options);
  if (options.dryRun === true) throw new CommandError("--dry-run is of --raw.", 2);
  if (clusterPlace(options) === null) return rebuildFolder(options);
  const accounts = await forgetFacts(options);
  const dropped = counted(accounts.length, "account");
  const text = `The facts of ${dropped} were dropped; the nodes rebuild them.`;
  printResult(options.json === true, { accounts }, text);
}

/** Also while a server runs: it sees the change as it does an import's. */
async function rereadReplies(options: RebuildOptions): Promise<void> {
  const { account, dryRun = false } = options;
  requireExisting(options);
  const reports = await withStorage(options, async (storage) => {
    const all = await allAccounts(storage.control);
    const ids =
      account === undefined ? all.map(({ id }) => id) : [await accountOf(storage, account)];
    const found: (RereadReport & { readonly accountId: string })[] = [];
    for (const accountId of ids) {
      const report = await rereadRaw({ ...storage, adapters }, accountId, { dryRun });
      found.push({ accountId, ...report });
    }
    return found;
  });
  const lines = reports.map(({ accountId, read, changed, unreadable }) => {
    const did = dryRun ? "would be replaced" : "were replaced";
    return `${accountId}: ${read} read, ${changed} ${did}, ${unreadable} unreadable`;
  });
  printResult(options.json === true, { accounts: reports }, lines.join("\n"));
}

function refuseAfterRestore(options: RebuildOptions): void {
  if (options.account !== undefined) {
    throw new CommandError("--after-restore is for all accounts: leave out --account.", 2);
  }
  if (clusterPlace(options) !== null) return;
  throw new CommandError("--after-restore is for several nodes; restore does it by itself.", 2);
}

async function rebuildFolder(options: RebuildOptions): Promise<void> {
  const folder = existingFolder(options);
  const lock = takeServerLock(folder);
  if (lock === null) throw new CommandError("A server is running on this folder. Stop it first.");
  try {
    const accounts = await forgetFacts(options);
    for (const id of accounts) {
      const { folder: files } = folder.account(id);
      // Including unfinished, renamed and log files.
      const names = existsSync(files) ? readdirSync(files) : []; // none before the first answer
      const dropped = names.filter((name) => /^facts\.(next\.)?duckdb/.test(name));
      for (const name of dropped) rmSync(join(files, name), { force: true });
    }
    const dropped = counted(accounts.length, "account");
    const text = `The facts of ${dropped} were dropped; serve rebuilds them.`;
    printResult(options.json === true, { accounts }, text);
  } finally {
    lock.close();
  }
}

/** @returns the accounts, which have no facts now. */
function forgetFacts(options: RebuildOptions): Promise<readonly string[]> {
  return withStorage(options, async (storage) => {
    const { account } = options;
    const only = account === undefined ? null : await accountOf(storage, account);
    if (options.afterRestore === true) await storage.cluster?.skipUsedNumbers();
    await forgetProjected(storage.control, only);
    if (only !== null) return [only];
    return (await allAccounts(storage.control)).map(({ id }) => id);
  });
}
