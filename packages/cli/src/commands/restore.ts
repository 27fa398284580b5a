import { readConfig } from "@sightline/server/config";
import { restore } from "@sightline/server/restore";
import { Command } from "commander";
import { withExamples } from "../examples.ts";
import { printResult } from "../result.ts";
import { type DataOptions, refuseCluster } from "../storage.ts";

/** `sightline restore FILE`: a data folder from a backup. */
export function restoreCommand(): Command {
  const command = new Command("restore")
    .argument("<file>", "the backup")
    .option(
      "--data-dir <dir>",
      "the folder to create; must be new or empty (default: SIGHTLINE_DATA_DIR, else ./data)",
    )
    .option("--json", "print one JSON document")
    .action(runRestore);
  return withExamples(command, [
    "sightline restore sightline.tar.zst --data-dir restored",
    "a new folder; the one that is served is left alone",
  ]);
}

async function runRestore(file: string, options: DataOptions): Promise<void> {
  refuseCluster(
    options,
    "Restore with the engines' own tools, ClickHouse first (docs/guide/scale.md#backups).",
  );
  const { dataDir: given, json } = options;
  const { dataDir } = readConfig({ dataDir: given }, process.env);
  const { createdAt, files } = await restore(file, dataDir);
  const document = { dataDir, createdAt, files: files.length };
  const advice = "Facts are rebuilt when the server starts.";
  const text = `${dataDir} is restored to its state at ${createdAt}. ${advice}`;
  printResult(json === true, document, text);
}
