import { migrateCluster } from "@sightline/server/migrate";
import { Command } from "commander";
import { withExamples } from "../examples.ts";
import { printResult } from "../result.ts";
import { clusterPlace, type DataOptions, requireExisting, withStorage } from "../storage.ts";

/** `sightline migrate`: makes the tables of ClickHouse and PostgreSQL. */
export function migrateCommand(): Command {
  const command = new Command("migrate")
    .option("--data-dir <dir>", "folder of all data (default: SIGHTLINE_DATA_DIR, else ./data)")
    .option("--json", "print one JSON document")
    .action(migrate);
  return withExamples(command, ["sightline migrate", "before the first start, and each update"]);
}

async function migrate(options: DataOptions): Promise<void> {
  const cluster = clusterPlace(options);
  if (cluster === null) return migrateFolder(options);
  const done = await migrateCluster(cluster);
  const text = [
    `PostgreSQL: ${applied(done.postgres)}`,
    `ClickHouse: ${applied(done.clickhouse)}`,
  ].join("\n");
  printResult(options.json === true, done, text);
}

function applied(names: readonly string[]): string {
  return names.length === 0 ? "nothing to do." : `${names.join(", ")}.`;
}

/** Whatever opens a data folder brings it to the current tables. */
async function migrateFolder(options: DataOptions): Promise<void> {
  requireExisting(options);
  await withStorage(options, async () => undefined);
  const text = "Nothing to do: each command updates the files of a data folder itself.";
  printResult(options.json === true, { postgres: [], clickhouse: [] }, text);
}
