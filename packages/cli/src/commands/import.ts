import { setPriority } from "node:os";
import { Command } from "commander";
import { withExamples } from "../examples.ts";
import { type FileImport, importFile, summary } from "../import-file.ts";
import { withRejectedTarget } from "../rejected-target.ts";
import { CommandError, printResult } from "../result.ts";
import { accountOf, type DataOptions, withStorage } from "../storage.ts";

interface ImportOptions extends DataOptions {
  readonly account?: string;
  readonly rejected?: string;
}

/** A running server has priority: an import takes long anyway, and loses nothing. */
const niceness = 10;

/** `sightline import FILE…`: records answers; bad lines go to `<file>.rejected`. */
export function importCommand(): Command {
  const command = new Command("import")
    .description("record answers from NDJSON files: plain, .gz or .zst")
    .argument("<files...>", "the files; - for standard input")
    .option("--account <id>", "the account; may be left out when there is only one")
    .option("--rejected <file>", "append rejected lines to this file; - for standard output")
    .option("--data-dir <dir>", "folder of all data (default: ./data)")
    .option("--json", "print one JSON document")
    .action(runImport);
  return withExamples(
    command,
    ["sightline import answers.ndjson more.ndjson.zst", "into the only account"],
    ["sightline import -", "reads standard input, plain, gzip or zstd"],
    ["sightline import answers.ndjson --rejected bad.ndjson", "rejected lines go to bad.ndjson"],
  );
}

async function runImport(files: readonly string[], options: ImportOptions): Promise<void> {
  const { json = false, rejected: place } = options;
  if (json && place === "-") {
    const message = "--rejected - and --json both use standard output. Give --rejected a file.";
    throw new CommandError(message, 2);
  }
  setPriority(niceness);
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const showReasons = !json && place !== "-";
  const done = await withStorage(options, async (storage) => {
    const accountId = await accountOf(storage, options.account);
    return withRejectedTarget(place, files, async (target) => {
      const imports: FileImport[] = [];
      for (const file of files) {
        imports.push(await importFile(storage, { accountId, file, target, say, showReasons }));
      }
      return imports;
    });
  });
  const text = done.map(summary).join("\n");
  if (place === "-") say(text);
  else printResult(json, documentOf(done), text);
  if (done.some(({ rejected }) => rejected > 0)) process.exitCode = 2;
}

/** One file: its counts. Several: the sums, the first rejected file, and each file's own counts. */
function documentOf(done: readonly FileImport[]) {
  const sum = (name: "accepted" | "duplicates" | "rejected" | "warnings") =>
    done.reduce((total, file) => total + file[name], 0);
  const totals = {
    accepted: sum("accepted"),
    duplicates: sum("duplicates"),
    rejected: sum("rejected"),
    warnings: sum("warnings"),
    rejectedFile: done.find(({ rejectedFile }) => rejectedFile !== null)?.rejectedFile ?? null,
  };
  return done.length === 1 ? totals : { ...totals, files: done };
}
