import { setPriority } from "node:os";
import { Command } from "commander";
import { withExamples } from "../examples.ts";
import { type FileImport, importFile, summary } from "../import-file.ts";
import { printResult } from "../result.ts";
import { accountOf, type DataOptions, withStorage } from "../storage.ts";

interface ImportOptions extends DataOptions {
  readonly account?: string;
}

/** A server beside it goes first: an import takes long anyway, and what it has is not lost. */
const niceness = 10;

/** `sightline import FILE…`: records answers; bad lines go to `<file>.rejected.ndjson`. */
export function importCommand(): Command {
  const command = new Command("import")
    .description("record answers from NDJSON files: plain, .gz or .zst")
    .argument("<files...>", "the files; - for standard input")
    .option("--account <id>", "the account; may be left out when there is only one")
    .option("--data-dir <dir>", "folder of all data (default: ./data)")
    .option("--json", "print one JSON document")
    .action(runImport);
  return withExamples(
    command,
    ["sightline import answers.ndjson more.ndjson.zst", "into the only account"],
    ["sightline import -", "reads standard input, plain, gzip or zstd"],
  );
}

async function runImport(files: readonly string[], options: ImportOptions): Promise<void> {
  setPriority(niceness);
  const done = await withStorage(options, async (storage) => {
    const accountId = await accountOf(storage, options.account);
    const imports: FileImport[] = [];
    for (const file of files) imports.push(await importFile(storage, accountId, file));
    return imports;
  });
  printResult(options.json === true, documentOf(done), done.map(summary).join("\n"));
  if (done.some(({ rejected }) => rejected > 0)) process.exitCode = 2;
}

/** One file: its counts. Several: the sums, the first rejected file, and each file's own counts. */
function documentOf(done: readonly FileImport[]) {
  const sum = (name: "accepted" | "duplicates" | "rejected") =>
    done.reduce((total, file) => total + file[name], 0);
  const totals = {
    accepted: sum("accepted"),
    duplicates: sum("duplicates"),
    rejected: sum("rejected"),
    rejectedFile: done.find(({ rejectedFile }) => rejectedFile !== null)?.rejectedFile ?? null,
  };
  return done.length === 1 ? totals : { ...totals, files: done };
}
