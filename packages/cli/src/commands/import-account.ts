import { existsSync } from "node:fs";
import {
  type AccountImport,
  importAccount,
  type MoveProgress,
} from "@sightline/server/import-account";
import { Command } from "commander";
import { processIo } from "../command-io.ts";
import { withExamples } from "../examples.ts";
import { counted } from "../output/counted.ts";
import { progressLine } from "../output/progress-line.ts";
import { safeText } from "../output/safe-text.ts";
import { CommandError, printResult } from "../result.ts";
import { type DataOptions, movePlaceOf, withStorage } from "../storage.ts";

/** `sightline import-account FILE`: an account of a file that `export` wrote. */
export function importAccountCommand(): Command {
  const command = new Command("import-account")
    .argument("<file>", "the file")
    .option("--data-dir <dir>", "folder of all data (default: SIGHTLINE_DATA_DIR, else ./data)")
    .option("--json", "print one JSON document")
    .action(runImportAccount);
  return withExamples(command, [
    "sightline import-account account.ndjson.zst --data-dir other",
    "with the pepper of the old service, its keys keep working",
  ]);
}

async function runImportAccount(file: string, options: DataOptions): Promise<void> {
  if (!existsSync(file)) throw new CommandError(`${file}: no such file.`, 2);
  const progress = progressLine(processIo);
  const onProgress = ({ step, bytes, of }: MoveProgress) =>
    progress.update(`${step} ${Math.floor((bytes / of) * 100)} %`);
  const done = await withStorage(options, (storage) =>
    importAccount(movePlaceOf(storage), { file, onProgress }),
  ).finally(() => progress.end());
  if (done.keysLeftOut > 0) process.stderr.write(`sightline: warning: ${leftOut(done)}\n`);
  printResult(options.json === true, done, summary(done));
}

function summary({ accountId, accountName, counts, resumed, keysLeftOut }: AccountImport): string {
  const keys = counted(counts.keys - keysLeftOut, "key");
  const answers = counted(counts.answers, "answer");
  const after = resumed ? " An interrupted import was completed." : "";
  return `${accountId}: ${safeText(accountName)}, ${answers}, ${keys}.${after}`;
}

function leftOut({ accountId, keysLeftOut }: AccountImport): string {
  return (
    `left out: ${counted(keysLeftOut, "key")}, hashed under another pepper. ` +
    `Create new ones: sightline keys create --account ${accountId}`
  );
}
