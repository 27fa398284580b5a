import { createWriteStream, existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { answerLines } from "@sightline/server/answer-store";
import { Command } from "commander";
import { processIo } from "./command-io.ts";
import { withExamples } from "./examples.ts";
import { choiceOption } from "./option-values.ts";
import { counted } from "./output/counted.ts";
import { progressLine } from "./output/progress-line.ts";
import { instantOfOption, timeForms } from "./questions/time-word.ts";
import { CommandError, printResult } from "./result.ts";
import { accountOf, type DataOptions, requireExisting, withStorage } from "./storage.ts";

interface ExportAnswersOptions extends DataOptions {
  readonly account?: string;
  readonly from?: string;
  readonly to?: string;
  readonly format: (typeof answerFormats)[number];
}

/** The forms in which answers are written. */
const answerFormats = ["ndjson", "parquet"] as const;

/** Lines of one write. */
const linesAtOnce = 200;

/** `sightline export answers [FILE]`: recorded answers as the lines that `import` takes. */
export function exportAnswersCommand(): Command {
  const command = new Command("answers")
    .description("write recorded answers as NDJSON or Parquet; works while a server runs")
    .argument("[file]", "the file, which must not exist yet; standard output when left out")
    .option("--account <id>", "the account; may be left out when there is only one")
    .option("--from <time>", `only answers from then on: ${timeForms}`)
    .option("--to <time>", "only answers before then")
    .addOption(
      choiceOption("--format <format>", "NDJSON is what import takes", answerFormats).default(
        "ndjson",
      ),
    )
    .option("--data-dir <dir>", "folder of all data (default: SIGHTLINE_DATA_DIR, else ./data)")
    .option("--json", "print one JSON document; needs a file")
    // The form that moves an account has options of the same names, and would keep them.
    .action((file: string | undefined, _own: ExportAnswersOptions, answers: Command) =>
      runExportAnswers(file, answers.optsWithGlobals()),
    );
  return withExamples(
    command,
    ["sightline export answers january.ndjson --from 2026-01 --to 2026-02", "one month"],
    ["sightline export answers answers.parquet --format parquet", "for DuckDB, pandas or Spark"],
    ["sightline export answers", "everything, to standard output"],
  );
}

async function runExportAnswers(
  file: string | undefined,
  options: ExportAnswersOptions,
): Promise<void> {
  if (options.json === true && file === undefined) {
    throw new CommandError("The answers and --json both use standard output. Name a file.", 2);
  }
  const isParquet = options.format === "parquet";
  if (isParquet && file === undefined) {
    throw new CommandError("Parquet is written to a file. Name one.", 2);
  }
  if (file !== undefined && existsSync(file)) {
    throw new CommandError(`${file} exists already. Name a new file.`, 2);
  }
  requireExisting(options);
  const range = rangeOf(options);
  const progress = progressLine(processIo, file === undefined);
  const answers = await withStorage(options, async (storage) => {
    const accountId = await accountOf(storage, options.account);
    const lines = answerLines(storage.answers, { accountId, ...range });
    const onProgress = (count: number) => progress.update(`${count} answers written`);
    return isParquet && file !== undefined
      ? writtenParquet(lines, file, onProgress)
      : writtenLines(lines, file, onProgress);
  }).finally(() => progress.end());
  if (file === undefined) return;
  printResult(options.json === true, { file, answers }, `${file}: ${counted(answers, "answer")}.`);
}

/** Writes lines as Parquet; they are in a file beside it meanwhile. @returns how many. */
async function writtenParquet(
  lines: AsyncIterable<string>,
  file: string,
  onProgress: (count: number) => void,
): Promise<number> {
  const [staged, partial] = [`${file}.lines`, `${file}.partial`];
  try {
    const count = await writtenLines(lines, staged, onProgress);
    // Loaded for this form alone: the engine is large.
    const { writeAnswersParquet } = await import("@sightline/server/answers-parquet");
    await writeAnswersParquet(staged, partial);
    await rename(partial, file);
    return count;
  } finally {
    await Promise.all([staged, partial].map((each) => rm(each, { force: true })));
  }
}

function rangeOf({ from, to }: ExportAnswersOptions) {
  const nowMs = processIo.now();
  const { NEGATIVE_INFINITY: always, POSITIVE_INFINITY: ever } = Number;
  const fromMs = from === undefined ? always : instantOfOption("--from", from, nowMs);
  const toMs = to === undefined ? ever : instantOfOption("--to", to, nowMs);
  if (fromMs < toMs) return { fromMs, toMs };
  throw new CommandError("--from must be before --to, which is exclusive.", 2);
}

/**
 * Writes lines to a file, which must not exist yet; undefined: standard output.
 * @returns how many were written. A file that is not complete is removed.
 */
export async function writtenLines(
  lines: AsyncIterable<string>,
  file: string | undefined,
  onProgress: (count: number) => void = () => undefined,
): Promise<number> {
  if (file !== undefined && existsSync(file)) {
    throw new CommandError(`${file} exists already. Name a new file.`, 2);
  }
  let count = 0;
  const chunks = async function* () {
    let chunk: string[] = [];
    for await (const line of lines) {
      chunk.push(line);
      count++;
      if (chunk.length < linesAtOnce) continue;
      yield chunk.join("");
      onProgress(count);
      chunk = [];
    }
    if (chunk.length > 0) yield chunk.join("");
  };
  if (file === undefined) {
    await pipeline(Readable.from(chunks()), process.stdout, { end: false });
    return count;
  }
  const partial = `${file}.partial`;
  try {
    const target = createWriteStream(partial, { mode: 0o600, flush: true });
    await pipeline(Readable.from(chunks()), target);
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  return count;
}
