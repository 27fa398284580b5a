import type { UntrackedNamesResponse } from "@sightline/client";
import type { CommandIo } from "../command-io.ts";
import { connectionOf } from "../connection/connection.ts";
import { withClient } from "../connection/with-client.ts";
import { nameFields, nameRecords } from "../output/insight-records.ts";
import { namesTable } from "../output/names-table.ts";
import type { Terminal } from "../output/terminal.ts";
import { emptyHint } from "./empty-hint.ts";
import { chosenOf } from "./filters.ts";
import { formatOf, printReply } from "./print-reply.ts";
import { sourcesUnlessSaid } from "./question-options.ts";
import type { NamesOptions } from "./source-options.ts";
import { timeRangeOf } from "./time-range.ts";

/** Asks which names answers have that nobody tracks, and prints them. */
export async function askNames(options: NamesOptions, io: CommandIo): Promise<void> {
  const timeRange = timeRangeOf(options, io.now());
  const connection = await connectionOf(options, io);
  await withClient(connection, async (client) => {
    const chosen = await chosenOf(options, timeRange, () => client.workspace());
    const { limit = sourcesUnlessSaid, cursor } = options;
    const reply: UntrackedNamesResponse = await client.insights.names({
      limit,
      ...(cursor === undefined ? {} : { cursor }),
      ...chosen,
    });
    const format = formatOf(options, io);
    const { brand, competitors } = await client.workspace();
    const tracked = new Map([brand, ...competitors].map(({ id, name }) => [id, name]));
    const printable = {
      document: reply,
      table: (terminal: Terminal) => namesTable(reply, { timeRange, tracked }, terminal),
      fields: nameFields,
      records: () => nameRecords(reply),
    };
    printReply(format, printable, io);
    if (format === "table") io.stderr.write(emptyHint(reply.empty));
  });
}
