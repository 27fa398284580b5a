import { type FileHandle, open, stat } from "node:fs/promises";
import type { AnswersFormat, ReadLines } from "@sightline/server/import-answers";
import type { Storage } from "@sightline/server/storage";
import { sourceNames } from "@sightline/sheets/sources";
import { Command } from "commander";
import { importConnection } from "../connection/import-connection.ts";
import type { Profile } from "../connection/profile-file.ts";
import { withExamples } from "../examples.ts";
import { type ForeignOptions, foreignFiles } from "../foreign-import.ts";
import { type FileImport, importFile, type RecordAnswers, summary } from "../import-file.ts";
import { requireSources } from "../import-source.ts";
import { choiceOption } from "../option-values.ts";
import { recordHere, recordOverHttp } from "../record-answers.ts";
import type { RejectedTarget } from "../rejected-lines.ts";
import { CommandError, printResult } from "../result.ts";
import { dryRunText, saveWorkspace } from "../source-report.ts";
import { accountOf, type DataOptions, withStorage } from "../storage.ts";

/** The options of an import of lines. */
export interface ImportOptions extends DataOptions {
  readonly account?: string;
  readonly url?: string;
  readonly keyFile?: string;
  readonly format?: AnswersFormat;
  readonly rejected?: string;
}

interface AnswersOptions extends ImportOptions, ForeignOptions {
  readonly account?: string;
  readonly url?: string;
  readonly keyFile?: string;
  readonly format?: AnswersFormat;
  readonly dryRun?: boolean;
  readonly workspace?: string;
}

const formats: readonly AnswersFormat[] = ["ndjson", "csv"];

/** `sightline import FILE…`: records answers; bad lines go to `<file>.rejected`. */
export function importCommand(): Command {
  const collect = (given: string, before: readonly string[]) => [...before, given];
  const command = withImportOptions(new Command("import"), "answers")
    .addOption(
      choiceOption(
        "--from <tool>",
        "the tool whose export it is (default: by the columns)",
        sourceNames,
      ),
    )
    .option(
      "--map <columns>",
      "how columns are read: answeredAt=Date,text=Answer; or a file of YAML or JSON",
      collect,
      [],
    )
    .option(
      "--set <values>",
      "what every row has, or a setting: region=DE,timeZone=UTC",
      collect,
      [],
    )
    .option("--group-by <columns>", "rows that are equal in these columns are one answer")
    .option("--brand <name>", "your brand: of an export of several, and for --workspace")
    .option("--dry-run", "print what would be imported, and what is left out")
    .option("--workspace <file>", "write the workspace file that tracks the prompts of an export")
    .action(importAnswers);
  return withExamples(
    command,
    ["sightline import answers.ndjson more.ndjson.zst", "into the only account"],
    ["sightline import answers.csv", "CSV, by its name; the first line names the columns"],
    ["sightline import week.xlsx --map map.yaml", "a spreadsheet, read as map.yaml says"],
    [
      "sightline import raw.csv --from profound --dry-run",
      "what an export of another tool becomes",
    ],
    ["sightline import -", "reads standard input, plain, gzip or zstd"],
    ["sightline import answers.ndjson --rejected bad.ndjson", "rejected lines go to bad.ndjson"],
    [
      "sightline import answers.ndjson --url https://sightline.example --key-file import.key",
      "sends them to a service",
    ],
  );
}

/** Records answers, or says what they would become. */
async function importAnswers(files: readonly string[], options: AnswersOptions): Promise<void> {
  const { json = false, dryRun = false, workspace } = options;
  const foreign = await foreignFiles(files, options);
  const ways = { here: recordHere, overHttp: recordOverHttp };
  if (foreign === null) {
    const given = ["set", "groupBy", "brand", "dryRun", "workspace"] as const;
    const [stray] = given.filter((name) => options[name]?.toString());
    if (stray === undefined) return runImport(files, options, ways);
    const flag = `--${stray.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`;
    throw new CommandError(
      `${flag} is for tables and exports of other tools: say what the file is, by --from or --map.`,
      2,
    );
  }
  const { recognized } = foreign;
  if (recognized !== null) {
    process.stderr.write(`sightline: ${files.join(", ")}: an export of ${recognized}.\n`);
  }
  if (dryRun) {
    const done = await foreign.dryRun();
    if (workspace !== undefined) await saveWorkspace(workspace, done.workspace);
    printResult(json, done, dryRunText(done, workspace !== undefined));
    if (done.files.some(({ rejected }) => rejected > 0)) process.exitCode = 2;
    return;
  }
  if (workspace !== undefined) {
    throw new CommandError("--workspace goes with --dry-run, which imports nothing.", 2);
  }
  if (foreign.files.length === 0) {
    throw new CommandError(
      `${files.join(", ")}: the export has no answers, only prompts. To track them, write a ` +
        "workspace file with --dry-run --workspace FILE, and apply it.",
      2,
    );
  }
  await runImport(foreign.files, options, { here: ways.here, overHttp: ways.overHttp, foreign });
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
  /** How files are read that are not Sightline's own lines. */
  readonly foreign?: { readonly formatOf: (file: string) => ReadLines | undefined };
}

/** Imports files of lines, and prints what became of them. */
export async function runImport(
  files: readonly string[],
  options: ImportOptions,
  { here, overHttp, foreign }: ImportWays,
): Promise<void> {
  const { json = false, rejected: place } = options;
  if (json && place === "-") {
    const message = "--rejected - and --json both use standard output. Give --rejected a file.";
    throw new CommandError(message, 2);
  }
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const showReasons = !json && place !== "-";
  const importAll = (record: RecordAnswers) =>
    withRejectedTarget(place, files, async (target) => {
      const imports: FileImport[] = [];
      for (const file of files) {
        const format = foreign?.formatOf(file) ?? options.format;
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
