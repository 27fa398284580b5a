import type { CitationLifeResponse } from "@sightline/client";
import type { CommandIo } from "../command-io.ts";
import { connectionOf } from "../connection/connection.ts";
import { withClient } from "../connection/with-client.ts";
import { lifeFields, lifeRecords } from "../output/insight-records.ts";
import { lifeTable } from "../output/life-table.ts";
import type { Terminal } from "../output/terminal.ts";
import { emptyHint } from "./empty-hint.ts";
import { chosenOf } from "./filters.ts";
import { formatOf, printReply } from "./print-reply.ts";
import { sourcesUnlessSaid } from "./question-options.ts";
import type { LifeOptions } from "./source-options.ts";
import { timeRangeOf } from "./time-range.ts";

/** Asks how long citations last, and prints it. */
export async function askLife(options: LifeOptions, io: CommandIo): Promise<void> {
  const timeRange = timeRangeOf(options, io.now());
  const connection = await connectionOf(options, io);
  await withClient(connection, async (client) => {
    const chosen = await chosenOf(options, timeRange, () => client.workspace());
    const { by, limit = sourcesUnlessSaid } = options;
    const reply: CitationLifeResponse = await client.insights.citationLife({
      by,
      limit,
      ...chosen,
    });
    const format = formatOf(options, io);
    const printable = {
      document: reply,
      table: (terminal: Terminal) => lifeTable(reply, timeRange, terminal),
      fields: lifeFields,
      records: () => lifeRecords(reply),
    };
    printReply(format, printable, io);
    if (format === "table") io.stderr.write(emptyHint(reply.empty));
  });
}
