import { type FileHandle, open, stat } from "node:fs/promises";
import type { AnswersFormat } from "@sightline/server/import-answers";
import type { Storage } from "@sightline/server/storage";
import { Command } from "commander";
import { importConnection } from "../connection/import-connection.ts";
import type { Profile } from "../connection/profile-file.ts";
import { withExamples } from "../examples.ts";
import { type FileImport, importFile, type RecordAnswers, summary } from "../import-file.ts";
import { requireSources } from "../import-source.ts";
import { choiceOption } from "../option-values.ts";
import { recordHere, recordOverHttp } from "../record-answers.ts";
import type { RejectedTarget } from "../rejected-lines.ts";
import { CommandError, printResult } from "../result.ts";
import { mappedLines, readMapping } from "../sheet-mapping.ts";
import { accountOf, type DataOptions, withStorage } from "../storage.ts";

/** The options of an import of lines. */
export interface ImportOptions extends DataOptions {
  readonly account?: string;
  readonly url?: string;
  readonly keyFile?: string;
  readonly format?: AnswersFormat;
  readonly map?: string;
  readonly rejected?: string;
}

const formats: readonly AnswersFormat[] = ["ndjson", "csv"];

/** `sightline import FILE…`: records answers; bad lines go to `<file>.rejected`. */
export function importCommand(): Command {
  const command = withImportOptions(new Command("import"), "answers")
    .option("--map <file>", "how the columns of tables are read (CSV, TSV, XLSX): YAML or JSON")
    .action((files: readonly string[], options: ImportOptions) =>
      runImport(files, options, { here: recordHere, overHttp: recordOverHttp }),
    );
  return withExamples(
    command,
    ["sightline import answers.ndjson more.ndjson.zst", "into the only account"],
    ["sightline import answers.csv", "CSV, by its name; the first line names the columns"],
    ["sightline import week.xlsx --map map.yaml", "a spreadsheet, read as map.yaml says"],
    ["sightline import -", "reads standard input, plain, gzip or zstd"],
    ["sightline import answers.ndjson --rejected bad.ndjson", "rejected lines go to bad.ndjson"],
    [
      "sightline import answers.ndjson --url https://sightline.example --key-file import.key",
      "sends them to a service",
    ],
  );
}

/** Adds the files and options of an import of lines. */
export function withImportOptions(command: Command, items: "answers" | "labels"): Command {
  return command
    .argument("<files...>", "the files; - for standard input")
    .option("--account <id>", "the account; may be left out when there is only one")
    .addOption(choiceOption("--format <format>", "format of the files (default: by name)", formats))
    .option("--url <url>", `send the ${items} to this service instead, to the account of the key`)
    .option(
      "--key-file <file>",
      "file with the key for --url (default: SIGHTLINE_KEY, the profile)",
    )
    .option("--rejected <file>", "append rejected lines to this file; - for standard output")
    .option("--data-dir <dir>", "folder of all data (default: SIGHTLINE_DATA_DIR, else ./data)")
    .option("--json", "print one JSON document");
}

/** Where lines go. */
interface ImportWays {
  readonly here: (storage: Storage, accountId: string) => RecordAnswers;
  readonly overHttp: (connection: Profile) => RecordAnswers;
}

/** Imports files of lines, and prints what became of them. */
export async function runImport(
  files: readonly string[],
  options: ImportOptions,
  { here, overHttp }: ImportWays,
): Promise<void> {
  const { json = false, rejected: place } = options;
  if (json && place === "-") {
    const message = "--rejected - and --json both use standard output. Give --rejected a file.";
    throw new CommandError(message, 2);
  }
  if (options.map !== undefined && options.format !== undefined) {
    const message = "--map and --format do not go together: a mapping reads CSV, TSV and XLSX.";
    throw new CommandError(message, 2);
  }
  const format =
    options.map === undefined ? options.format : mappedLines(await readMapping(options.map));
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const showReasons = !json && place !== "-";
  const importAll = (record: RecordAnswers) =>
    withRejectedTarget(place, files, async (target) => {
      const imports: FileImport[] = [];
      for (const file of files) {
        imports.push(await importFile(record, { file, format, target, say, showReasons }));
      }
      return imports;
    });
  await requireSources(files);
  const connection = await importConnection(options);
  const done =
    connection === null
      ? await withStorage(options, async (storage) =>
          importAll(here(storage, await accountOf(storage, options.account))),
        )
      : await importAll(overHttp(connection));
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

const standardOutput: RejectedTarget = { name: "-", descriptor: 1 };

/**
 * Runs `work` with the target of `--rejected`: null for none, `-` for standard output, else a file
 * that is appended to, so that nothing in it is lost and the same command can be repeated.
 * @throws CommandError before anything is imported when the file cannot be written, or is itself
 * imported.
 */
async function withRejectedTarget<Result>(
  name: string | undefined,
  files: readonly string[],
  work: (target: RejectedTarget | null) => Promise<Result>,
): Promise<Result> {
  if (name === undefined) return work(null);
  if (name === "-") return work(standardOutput);
  const file = await openToAppend(name);
  try {
    await refuseImported(name, file, files);
    const result = await work({ name, descriptor: file.fd });
    await file.sync();
    return result;
  } finally {
    await file.close();
  }
}

async function openToAppend(name: string): Promise<FileHandle> {
  try {
    return await open(name, "a", 0o600);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`--rejected ${name}: the file cannot be written: ${reason}.`, 2);
  }
}

/** An import that reads the file that it appends to would never end. */
async function refuseImported(
  name: string,
  file: FileHandle,
  imported: readonly string[],
): Promise<void> {
  const { dev, ino } = await file.stat();
  for (const each of imported) {
    const found = each === "-" ? null : await stat(each).catch(() => null);
    if (found?.dev !== dev || found.ino !== ino) continue;
    throw new CommandError(
      `--rejected ${name}: this file is being imported. Name another file.`,
      2,
    );
  }
}
