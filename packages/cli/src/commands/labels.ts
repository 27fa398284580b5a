import {
  type LabelMetric,
  labelMetrics,
  sampleAnswersMax,
  sampleSeedMax,
} from "@sightline/contract";
import { allLabels, anyLabels, type Label, removeLabels } from "@sightline/server/label-store";
import { Command } from "commander";
import { processIo } from "../command-io.ts";
import { importConnection } from "../connection/import-connection.ts";
import { withClient } from "../connection/with-client.ts";
import { withExamples } from "../examples.ts";
import { writtenLines } from "../export-answers.ts";
import { drawnSample, sampleOfService } from "../label-sample.ts";
import { choiceOption, integerOption } from "../option-values.ts";
import { counted } from "../output/counted.ts";
import { instantOfOption, timeForms } from "../questions/time-word.ts";
import { labelHere, labelOverHttp } from "../record-answers.ts";
import { CommandError, printResult } from "../result.ts";
import { accountOf, type DataOptions, requireExisting, withStorage } from "../storage.ts";
import { type ImportOptions, runImport, withImportOptions } from "./import.ts";

/** `sightline labels sample | import | export | delete`: what people say of answers. */
export function labelsCommand(): Command {
  const labels = new Command("labels");
  const imports = withImportOptions(labels.command("import"), "labels")
    .description("store labels from NDJSON or CSV files; records without a value are left out")
    .action((files: readonly string[], options: ImportOptions) =>
      runImport(files, options, { here: labelHere, overHttp: labelOverHttp }),
    );
  withExamples(
    imports,
    ["sightline labels import sample.csv", "a sample whose column value is filled in"],
    ["sightline labels import labels.ndjson --url https://sightline.example", "to a service"],
  );
  withExamples(exportCommand(labels), ["sightline labels export labels.ndjson", "all labels"]);
  withExamples(sampleCommand(labels), [
    "sightline labels sample 200 sample.csv --labeller ann --from 2026-01 --to 2026-02",
    "200 answers of a month, to read and fill in",
  ]);
  withExamples(deleteCommand(labels), [
    "sightline labels delete --labeller ann",
    "everything that ann said",
  ]);
  return withExamples(labels, ["sightline labels sample 200 sample.csv --labeller ann", "begins"]);
}

function withDataOptions(command: Command): Command {
  return command
    .option("--account <id>", "the account; may be left out when there is only one")
    .option("--data-dir <dir>", "folder of all data (default: SIGHTLINE_DATA_DIR, else ./data)")
    .option("--json", "print one JSON document");
}

interface ExportOptions extends DataOptions {
  readonly account?: string;
  readonly url?: string;
  readonly keyFile?: string;
}

function exportCommand(labels: Command): Command {
  const command = withDataOptions(labels.command("export"))
    .description("write labels as NDJSON, for import")
    .argument("[file]", "the file, which must not exist yet; standard output when left out");
  return withServiceOptions(command, "read the labels of").action(runExport);
}

function withServiceOptions(command: Command, what: string): Command {
  return command
    .option("--url <url>", `${what} this service instead, of the key's account`)
    .option(
      "--key-file <file>",
      "file with the key for --url (default: SIGHTLINE_KEY, the profile)",
    );
}

async function runExport(file: string | undefined, options: ExportOptions): Promise<void> {
  if (options.json === true && file === undefined) {
    throw new CommandError("The labels and --json both use standard output. Name a file.", 2);
  }
  const connection = await importConnection(options);
  const written = (lines: AsyncIterable<object>) => writtenLines(asLines(lines), file);
  if (connection === null) requireExisting(options);
  const labels =
    connection === null
      ? await withStorage(options, async (storage) =>
          written(
            localLabels(
              await allLabels(storage.control, await accountOf(storage, options.account)),
            ),
          ),
        )
      : await withClient(connection, (client) => written(client.labels.list()));
  if (file === undefined) return;
  printResult(options.json === true, { file, labels }, `${file}: ${counted(labels, "label")}.`);
}

async function* localLabels(labels: readonly Label[]): AsyncGenerator<object> {
  for (const { labelledAt, ...label } of labels) {
    yield { ...label, labelledAt: new Date(labelledAt).toISOString() };
  }
}

async function* asLines(labels: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const label of labels) yield `${JSON.stringify(label)}\n`;
}

interface SampleOptions extends ExportOptions {
  readonly labeller: string;
  readonly entity?: string;
  readonly metric: LabelMetric;
  readonly seed: number;
  readonly from?: string;
  readonly to?: string;
}

function sampleCommand(labels: Command): Command {
  const command = withDataOptions(labels.command("sample"))
    .description("draw answers at random and write them as CSV, to read and fill in")
    .argument("<count>", `how many answers: 1 to ${sampleAnswersMax}`)
    .argument("[file]", "the file, which must not exist yet; standard output when left out")
    .requiredOption("--labeller <name>", "who is going to read them")
    .option("--entity <name>", "the brand or a competitor, by name or id (default: the brand)")
    .addOption(choiceOption("--metric <metric>", "what is asked", labelMetrics).default("mentions"))
    .addOption(
      integerOption("--seed <number>", "another seed draws others", [0, sampleSeedMax]).default(1),
    )
    .option("--from <time>", `only answers from then on: ${timeForms}`)
    .option("--to <time>", "only answers before then");
  return withServiceOptions(command, "draw answers of").action(runSample);
}

async function runSample(
  given: string,
  file: string | undefined,
  options: SampleOptions,
): Promise<void> {
  const count = /^\d{1,4}$/.test(given) ? Number(given) : 0;
  if (count < 1 || count > sampleAnswersMax) {
    throw new CommandError(`The count must be from 1 to ${sampleAnswersMax}, got ${given}.`, 2);
  }
  if (options.json === true && file === undefined) {
    throw new CommandError("The sample and --json both use standard output. Name a file.", 2);
  }
  const connection = await importConnection(options);
  if (connection === null) requireExisting(options);
  const { labeller, metric, seed, entity, from, to } = options;
  const nowMs = processIo.now();
  const { NEGATIVE_INFINITY: always, POSITIVE_INFINITY: ever } = Number;
  const range = {
    fromMs: from === undefined ? always : instantOfOption("--from", from, nowMs),
    toMs: to === undefined ? ever : instantOfOption("--to", to, nowMs),
  };
  const asked = { count, labeller, metric, seed, entity: entity ?? null, ...range };
  const lines =
    connection === null
      ? await withStorage(options, async (storage) => {
          const accountId = await accountOf(storage, options.account);
          return writtenLines(drawnSample(storage, accountId, asked), file);
        })
      : await withClient(connection, (client) =>
          writtenLines(sampleOfService(client, asked), file),
        );
  const answers = Math.max(0, lines - 1); // without the names of the columns
  if (file === undefined) return;
  const text =
    `${file}: ${counted(answers, "answer")}. Write yes or no into the column value of each, ` +
    `then: sightline labels import ${file}`;
  printResult(options.json === true, { file, answers }, text);
}

interface DeleteOptions extends DataOptions {
  readonly account?: string;
  readonly labeller?: string;
  readonly answer?: string;
}

function deleteCommand(labels: Command): Command {
  return withDataOptions(labels.command("delete"))
    .description("remove labels, for good: of a labeller, of an answer, or of both")
    .option("--labeller <name>", "those of this labeller")
    .option("--answer <id>", "those of this answer")
    .action(runDelete);
}

async function runDelete(options: DeleteOptions): Promise<void> {
  const { labeller = null, answer } = options;
  if (labeller === null && answer === undefined) {
    throw new CommandError("Give --labeller, --answer, or both.", 2);
  }
  requireExisting(options);
  const selection = { ...anyLabels, labeller, answerId: answer?.toLowerCase() ?? null };
  const deleted = await withStorage(options, async (storage) => {
    const accountId = await accountOf(storage, options.account);
    return removeLabels(storage.control, accountId, selection, storage.clock.now());
  });
  const text = `${counted(deleted, "label")} removed.`;
  printResult(options.json === true, { deleted }, text);
}
