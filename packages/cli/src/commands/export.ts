import { existsSync } from "node:fs";
import { exportAccount } from "@sightline/server/export-account";
import { Command } from "commander";
import { processIo } from "../command-io.ts";
import { withExamples } from "../examples.ts";
import { exportAnswersCommand } from "../export-answers.ts";
import { counted } from "../output/counted.ts";
import { progressLine } from "../output/progress-line.ts";
import { safeText } from "../output/safe-text.ts";
import { CommandError, printResult } from "../result.ts";
import { accountOf, type DataOptions, movePlaceOf, withStorage } from "../storage.ts";

/**
 * `sightline export ACCOUNT FILE`: an account with all that belongs to it, in one file; and
 * `sightline export answers`. An account is given by its id, so the word is none.
 */
export function exportCommand(): Command {
  const command = new Command("export")
    .argument("<account>", "the account's id")
    .argument("<file>", "the file, such as account.ndjson.zst; must not exist yet")
    .option("--data-dir <dir>", "folder of all data (default: SIGHTLINE_DATA_DIR, else ./data)")
    .option("--json", "print one JSON document")
    .action(runExport)
    .addCommand(exportAnswersCommand());
  return withExamples(command, [
    "sightline export 9b1338cc-0c23-5ae5-b4b2-6c7b2c3074ba account.ndjson.zst",
    "what it tracks, its keys, its answers",
  ]);
}

async function runExport(given: string, file: string, options: DataOptions): Promise<void> {
  if (existsSync(file)) throw new CommandError(`${file} exists already. Name a new file.`, 2);
  const progress = progressLine(processIo);
  const done = await withStorage(options, async (storage) => {
    const accountId = await accountOf(storage, given);
    const onProgress = (answers: number) => progress.update(`${answers} answers written`);
    return exportAccount(movePlaceOf(storage), { accountId, file, onProgress });
  }).finally(() => progress.end());
  const { answers, keys } = done.counts;
  const counts = `${counted(answers, "answer")}, ${counted(keys, "key")}`;
  const text = `${file}: ${safeText(done.accountName)}, ${counts}.`;
  printResult(options.json === true, { file, ...done }, text);
}
