import { existsSync } from "node:fs";
import { backup, IncompleteBackupError } from "@sightline/server/backup";
import { Command } from "commander";
import { withExamples } from "../examples.ts";
import { counted } from "../output/counted.ts";
import { CommandError, printResult } from "../result.ts";
import { type DataOptions, existingFolder, refuseCluster } from "../storage.ts";

const enginesOwnBackups =
  "Use the engines' own backups, PostgreSQL first (docs/guide/scale.md#backups), or export for " +
  "one account.";

/** `sightline backup FILE`: everything that cannot be derived, in one file. */
export function backupCommand(): Command {
  const command = new Command("backup")
    .argument("<file>", "the backup, such as sightline.tar.zst; must not exist yet")
    .option("--data-dir <dir>", "folder of all data (default: SIGHTLINE_DATA_DIR, else ./data)")
    .option("--json", "print one JSON document")
    .action(runBackup);
  return withExamples(command, ["sightline backup sightline.tar.zst", "also while it is served"]);
}

async function runBackup(file: string, options: DataOptions): Promise<void> {
  refuseCluster(options, enginesOwnBackups);
  if (existsSync(file)) throw new CommandError(`${file} exists already. Name a new file.`, 2);
  const manifest = await backup(existingFolder(options), file).catch(refuseIncomplete);
  const bytes = manifest.files.reduce((sum, each) => sum + each.bytes, 0);
  const document = { file, createdAt: manifest.createdAt, files: manifest.files.length, bytes };
  const text = `${file}: ${counted(document.files, "file")}, ${bytes} bytes before compression.`;
  printResult(options.json === true, document, text);
}

function refuseIncomplete(error: unknown): never {
  if (!(error instanceof IncompleteBackupError)) throw error;
  throw new CommandError(error.message, 1, { missing: error.missing });
}
