import type { CommandIo } from "../command-io.ts";
import { connectionOf } from "../connection/connection.ts";
import { withClient } from "../connection/with-client.ts";
import { gapTable } from "../output/gap-table.ts";
import { changeFields, comparedFields, gapFields, gapRecords } from "../output/insight-records.ts";
import type { Terminal } from "../output/terminal.ts";
import { comparisonOf } from "./compared-range.ts";
import { emptyHint } from "./empty-hint.ts";
import { chosenOf, citedOf } from "./filters.ts";
import { formatOf, printReply } from "./print-reply.ts";
import { includedFacts, sourcesUnlessSaid } from "./question-options.ts";
import type { GapsOptions } from "./source-options.ts";
import { timeRangeOf } from "./time-range.ts";

/** Asks for cited sources and who is visible where they are cited, and prints it. */
export async function askGaps(options: GapsOptions, io: CommandIo): Promise<void> {
  const now = io.now();
  const timeRange = timeRangeOf(options, now);
  const { compared, fieldsFor } = comparisonOf(options, timeRange, now);
  const connection = await connectionOf(options, io);
  await withClient(connection, async (client) => {
    const chosen = await chosenOf(options, timeRange, () => client.workspace());
    const { groupBy, orderBy, limit = sourcesUnlessSaid, offset = 0 } = options;
    const reply = await client.insights.sources({
      groupBy,
      limit,
      offset,
      ...chosen,
      ...(orderBy === "citations" ? {} : { orderBy }),
      ...citedOf(options),
      ...(options.class === undefined ? {} : { sourceClasses: options.class }),
      ...(options.form === undefined ? {} : { forms: options.form }),
      ...fieldsFor(chosen),
      ...includedFacts(options),
    });
    const format = formatOf(options, io);
    const printable = {
      document: reply,
      table: (terminal: Terminal) =>
        gapTable(reply, { timeRange, compared, parts: options.parts === true }, terminal),
      fields: compared === null ? gapFields : [...gapFields, ...changeFields, ...comparedFields],
      records: () => gapRecords(reply),
      facts: reply.facts,
    };
    printReply(format, printable, io);
    if (format === "table") io.stderr.write(emptyHint(reply.empty));
  });
}
