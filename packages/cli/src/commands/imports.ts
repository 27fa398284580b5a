import { undoImport } from "@sightline/server/corrections";
import { type ImportRecord, importsOf } from "@sightline/server/import-store";
import { Command } from "commander";
import { withExamples } from "../examples.ts";
import { plainTable } from "../output/plain-table.ts";
import { CommandError, printResult } from "../result.ts";
import { accountOf, type DataOptions, requireExisting, withStorage } from "../storage.ts";

interface ImportsOptions extends DataOptions {
  readonly account?: string;
}

/** `sightline imports list | undo`: what was imported, and taking it back. */
export function importsCommand(): Command {
  const imports = new Command("imports");
  const dataOptions = (command: Command) =>
    command
      .option("--account <id>", "the account; may be left out when there is only one")
      .option("--data-dir <dir>", "folder of all data (default: SIGHTLINE_DATA_DIR, else ./data)")
      .option("--json", "print one JSON document");
  const list = dataOptions(imports.command("list"))
    .description("list the latest 1,000 imports, newest first")
    .action(listImports);
  const undo = dataOptions(imports.command("undo"))
    .description("remove every answer that an import recorded, for good")
    .argument("<importId>", "the import's id, as list shows it")
    .action(undoOne);
  withExamples(list, ["sightline imports list --json", "every import as one document"]);
  withExamples(undo, [
    "sightline imports undo 3f2a9c1e-5b7d-4e8a-9c0f-1d2e3f4a5b6c",
    "its answers are gone; importing the file again brings them back",
  ]);
  return withExamples(imports, ["sightline imports list", "ids, times and counts"]);
}

async function listImports(options: ImportsOptions): Promise<void> {
  requireExisting(options);
  const imports = await withStorage(options, async (storage) =>
    importsOf(storage.control, await accountOf(storage, options.account)),
  );
  const rows = imports.map(describe);
  const columns = [
    "import",
    "started",
    "source",
    "state",
    "accepted",
    "duplicates",
    "rejected",
    "undone",
  ];
  const text =
    rows.length === 0
      ? "There are no imports."
      : plainTable(
          columns,
          rows.map((row) => Object.values(row)),
        );
  printResult(options.json === true, { imports: rows }, text);
}

async function undoOne(importId: string, options: ImportsOptions): Promise<void> {
  requireExisting(options);
  const id = importId.toLowerCase();
  const deleted = await withStorage(options, async (storage) =>
    undoImport(storage, await accountOf(storage, options.account), id),
  );
  if (deleted === null) {
    throw new CommandError(`No import has the id ${importId}. See: sightline imports list`);
  }
  const text =
    `${deleted} ${deleted === 1 ? "answer was" : "answers were"} removed. ` +
    "A running service keeps serving the previous numbers until the facts are rebuilt.";
  printResult(options.json === true, { importId: id, deleted }, text);
}

function describe({ id, startedAt, source, state, undoneAt, ...counts }: ImportRecord) {
  const { accepted, duplicates, rejected } = counts;
  return {
    id,
    startedAt: new Date(startedAt).toISOString(),
    source,
    state,
    accepted,
    duplicates,
    rejected,
    undoneAt: undoneAt === null ? null : new Date(undoneAt).toISOString(),
  };
}
