import type { Sightline } from "@sightline/client";
import type { CommandIo } from "../command-io.ts";
import { connectionOf } from "../connection/connection.ts";
import { withClient } from "../connection/with-client.ts";
import { portrayalFields, summaryFields, summaryRecords } from "../output/insight-records.ts";
import { portrayalRecords, portrayalTable } from "../output/portrayal-table.ts";
import { summaryTable } from "../output/summary-table.ts";
import type { Terminal } from "../output/terminal.ts";
import { comparisonOf } from "./compared-range.ts";
import { emptyHint } from "./empty-hint.ts";
import { chosenOf } from "./filters.ts";
import { entityKind, idOf, isId } from "./names.ts";
import { formatOf, printReply } from "./print-reply.ts";
import type { PortrayalOptions, SummaryOptions } from "./question-options.ts";
import { timeRangeOf } from "./time-range.ts";

/** Asks for every value of each entity, with its uncertainty, and prints it. */
export async function askSummary(options: SummaryOptions, io: CommandIo): Promise<void> {
  const now = io.now();
  const timeRange = timeRangeOf(options, now);
  const { compared, fieldsFor } = comparisonOf(options, timeRange, now);
  const connection = await connectionOf(options, io);
  await withClient(connection, async (client) => {
    const chosen = await chosenOf(options, timeRange, () => client.workspace());
    const { groupBy } = options;
    const include = (["stability", "trend", "extraction", "facts"] as const).filter(
      (part) => options[part] === true,
    );
    const included = include.length === 0 ? {} : { include };
    const entities = await entitiesOf(options, client);
    const question = { groupBy, ...chosen, ...entities, ...included, ...fieldsFor(chosen) };
    const reply = await client.insights.summary({ ...question, portrayal: false });
    const format = formatOf(options, io);
    const printable = {
      document: reply,
      table: (terminal: Terminal) =>
        summaryTable(reply, { timeRange, compared, parts: options.parts === true }, terminal),
      fields: summaryFields,
      records: () => summaryRecords(reply),
      facts: reply.facts,
    };
    printReply(format, printable, io);
    if (format === "table") io.stderr.write(emptyHint(reply.empty));
  });
}

/** Asks how answers speak of each entity, with how certain that is, and prints it. */
export async function askPortrayal(options: PortrayalOptions, io: CommandIo): Promise<void> {
  const now = io.now();
  const timeRange = timeRangeOf(options, now);
  const { compared, fieldsFor } = comparisonOf(options, timeRange, now);
  const connection = await connectionOf(options, io);
  await withClient(connection, async (client) => {
    const chosen = await chosenOf(options, timeRange, () => client.workspace());
    const entities = await entitiesOf(options, client);
    const include = (["extraction", "facts"] as const).filter((part) => options[part] === true);
    const included = include.length === 0 ? {} : { include };
    const { groupBy } = options;
    const question = { groupBy, ...chosen, ...entities, ...included, ...fieldsFor(chosen) };
    const reply = await client.insights.summary(question);
    const format = formatOf(options, io);
    const shown = { timeRange, compared, parts: options.parts === true };
    const printable = {
      document: reply,
      table: (terminal: Terminal) => portrayalTable(reply, shown, terminal),
      fields: portrayalFields,
      records: () => portrayalRecords(reply),
      facts: reply.facts,
    };
    printReply(format, printable, io);
    if (format === "table") io.stderr.write(emptyHint(reply.empty));
  });
}

/** The named entities, as the request lists them. The workspace is requested to look up names. */
async function entitiesOf({ entity = [] }: Pick<SummaryOptions, "entity">, client: Sightline) {
  if (entity.length === 0) return {};
  const workspace = entity.every(isId) ? null : await client.workspace();
  const known = workspace === null ? [] : [workspace.brand, ...workspace.competitors];
  return { entityIds: entity.map((name) => idOf(name, entityKind, known)) };
}
