import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { takeServerLock } from "@sightline/server/served-files";
import { Command } from "commander";
import { withExamples } from "../examples.ts";
import { CommandError, printResult } from "../result.ts";
import { accountOf, type DataOptions, existingFolder, withStorage } from "../storage.ts";

interface RebuildOptions extends DataOptions {
  readonly account?: string;
}

/** `sightline rebuild`: drops facts, so that the next start rebuilds them from the record. */
export function rebuildCommand(): Command {
  const command = new Command("rebuild")
    .description(
      "drop facts, so that the next start rebuilds them from the record; stop the server first",
    )
    .option("--account <id>", "only this account's facts")
    .option("--data-dir <dir>", "folder of all data (default: ./data)")
    .option("--json", "print one JSON document")
    .action(runRebuild);
  return withExamples(command, ["sightline rebuild", "of every account, while no server runs"]);
}

async function runRebuild(options: RebuildOptions): Promise<void> {
  const folder = existingFolder(options);
  const lock = takeServerLock(folder);
  if (lock === null) throw new CommandError("A server is running on this folder. Stop it first.");
  try {
    const accounts = await withStorage(options, async (storage) => {
      const { account } = options;
      const only = account === undefined ? null : await accountOf(storage, account);
      await storage.control.forgetProjected(only);
      if (only !== null) return [only];
      return (await storage.control.accounts()).map(({ id }) => id);
    });
    for (const id of accounts) {
      const { folder: files } = folder.account(id);
      // Including unfinished, renamed and log files.
      const names = existsSync(files) ? readdirSync(files) : []; // none before the first answer
      const dropped = names.filter((name) => /^facts\.(next\.)?duckdb/.test(name));
      for (const name of dropped) rmSync(join(files, name), { force: true });
    }
    const text = `The facts of ${accounts.length} accounts were dropped; serve rebuilds them.`;
    printResult(options.json === true, { accounts }, text);
  } finally {
    lock.close();
  }
}
