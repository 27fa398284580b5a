import { writeFile } from "node:fs/promises";
import type { Report } from "@sightline/client";
import { Command } from "commander";
import { type CommandIo, processIo } from "../command-io.ts";
import {
  type ConnectionOptions,
  connectionOf,
  withConnectionOptions,
} from "../connection/connection.ts";
import { withClient } from "../connection/with-client.ts";
import { withExamples } from "../examples.ts";
import { integerOption } from "../option-values.ts";
import { plainTable } from "../output/plain-table.ts";
import { CommandError } from "../result.ts";

interface ReportsOptions extends ConnectionOptions {
  readonly json?: boolean;
}

interface ListOptions extends ReportsOptions {
  readonly name?: string;
  readonly limit: number;
}

interface MakeOptions extends ReportsOptions {
  readonly start?: string;
  readonly end?: string;
  readonly out?: string;
}

interface SaveOptions extends ReportsOptions {
  readonly out: string;
  readonly asMade?: boolean;
}

/** The most reports that a list has. */
const listedMax = 1_000;
/** A report of a large account takes seconds, more while others ask. */
const makingMs = 120_000;

/** `sightline reports list | make | show | save`: pages of numbers that are made once. */
export function reportsCommand(io: CommandIo = processIo): Command {
  const reports = new Command("reports");
  const ofService = (command: Command) =>
    withConnectionOptions(command).option("--json", "print one JSON document");
  const list = ofService(reports.command("list"))
    .description("list the reports that were made, newest first")
    .option("--name <name>", "only reports of this name")
    .addOption(integerOption("--limit <number>", "how many", [1, listedMax]).default(50))
    .action((options: ListOptions) => listReports(options, io));
  const make = ofService(reports.command("make"))
    .description("make a report of the workspace file; the key needs manage")
    .argument("<name>", "the report's name in the workspace file")
    .option("--start <date>", "the first day, UTC; with --end (default: the report's own rule)")
    .option("--end <date>", "the last day, UTC")
    .option("--out <file>", "write its page to this file, which must not exist yet")
    .action((name: string, options: MakeOptions) => makeReport(name, options, io));
  const show = ofService(reports.command("show"))
    .description("print a report with its numbers as JSON")
    .argument("<id>", "the report's id")
    .action((id: string, options: ReportsOptions) => showReport(id, options, io));
  const save = ofService(reports.command("save"))
    .description("write a report's page to a file: HTML, to be opened, sent or printed")
    .argument("<id>", "the report's id")
    .requiredOption("--out <file>", "the file, which must not exist yet")
    .option("--as-made", "also of a superseded report without the line that says so")
    .action((id: string, options: SaveOptions) => saveReport(id, options, io));
  withExamples(list, ['sightline reports list --name "Monthly report"', "its history"]);
  withExamples(
    make,
    ['sightline reports make "Monthly report" --out october.html', "by its own rule, and saved"],
    [
      'sightline reports make "Monthly report" --start 2026-10-01 --end 2026-10-31',
      "over other days",
    ],
  );
  const sample = "3f0c8d1e-5b2a-4c6d-9e7f-0a1b2c3d4e5f";
  withExamples(show, [`sightline reports show ${sample}`, "the numbers behind the page"]);
  withExamples(save, [`sightline reports save ${sample} --out report.html`, "the page"]);
  return withExamples(reports, ["sightline reports list", "what was made"]);
}

async function listReports(options: ListOptions, io: CommandIo): Promise<void> {
  const { name, limit } = options;
  const found = await withClient(await connectionOf(options, io), async (client) => {
    const reports: Report[] = [];
    for await (const report of client.reports.list({ name })) {
      reports.push(report);
      if (reports.length === limit) break;
    }
    return reports;
  });
  const table = plainTable(
    ["MADE", "NAME", "FIRST DAY", "LAST DAY", "BY", "ID", "SUPERSEDED BY"],
    found.map(({ madeAt, period, actor, id, supersededBy, ...report }) => {
      const by = `${actor.kind} ${actor.name}`;
      return [madeAt, report.name, period.startDate, period.endDate, by, id, supersededBy];
    }),
  );
  print(io, options, { reports: found }, found.length === 0 ? "No reports." : table);
}

async function makeReport(report: string, options: MakeOptions, io: CommandIo): Promise<void> {
  const { start, end, out } = options;
  if ((start === undefined) !== (end === undefined)) {
    throw new CommandError("Give --start and --end, or none of them.", 2);
  }
  const period =
    start === undefined || end === undefined ? undefined : { startDate: start, endDate: end };
  const connection = await connectionOf(options, io);
  const request = period === undefined ? { report } : { report, period };
  const patience = { retriesMax: 2, timeoutMs: makingMs };
  const made = await withClient(connection, (client) => client.reports.make(request), patience);
  if (out !== undefined) {
    await written(out, await withClient(connection, (client) => client.reports.html(made.id)));
  }
  const { startDate, endDate } = made.period;
  const saved = out === undefined ? "" : ` Its page is in ${out}.`;
  const text = `${made.id}: ${report}, ${startDate} to ${endDate}.${saved}`;
  print(io, options, { ...made, ...(out === undefined ? {} : { file: out }) }, text);
}

async function showReport(id: string, options: ReportsOptions, io: CommandIo): Promise<void> {
  const shown = await withClient(await connectionOf(options, io), (client) =>
    client.reports.get(id),
  );
  print(io, options, shown, JSON.stringify(shown, null, 2));
}

async function saveReport(id: string, options: SaveOptions, io: CommandIo): Promise<void> {
  const { out, asMade = false } = options;
  const html = await withClient(await connectionOf(options, io), (client) =>
    client.reports.html(id, { asMade }),
  );
  await written(out, html);
  print(io, options, { id, file: out, bytes: Buffer.byteLength(html) }, `${out} was written.`);
}

async function written(file: string, html: string): Promise<void> {
  try {
    await writeFile(file, html, { flag: "wx" });
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (code === "EEXIST") throw new CommandError(`${file} exists already. Name another file.`);
    throw error;
  }
}

function print(io: CommandIo, { json }: ReportsOptions, document: object, text: string): void {
  io.stdout.write(json === true ? `${JSON.stringify(document)}\n` : `${text}\n`);
}
