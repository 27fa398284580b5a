import type { SearchQueriesResponse } from "@sightline/client";
import type { CommandIo } from "../command-io.ts";
import { connectionOf } from "../connection/connection.ts";
import { withClient } from "../connection/with-client.ts";
import { queryFields, queryRecords } from "../output/insight-records.ts";
import { queriesTable } from "../output/queries-table.ts";
import type { Terminal } from "../output/terminal.ts";
import { emptyHint } from "./empty-hint.ts";
import { chosenOf } from "./filters.ts";
import { entityOf } from "./names.ts";
import { formatOf, printReply } from "./print-reply.ts";
import { sourcesUnlessSaid } from "./question-options.ts";
import type { QueriesOptions } from "./source-options.ts";
import { timeRangeOf } from "./time-range.ts";

/** Asks what assistants searched the web for, and prints it. */
export async function askQueries(options: QueriesOptions, io: CommandIo): Promise<void> {
  const timeRange = timeRangeOf(options, io.now());
  const connection = await connectionOf(options, io);
  await withClient(connection, async (client) => {
    const chosen = await chosenOf(options, timeRange, () => client.workspace());
    const entity = await entityOf(options.entity, client);
    const { limit = sourcesUnlessSaid, cursor } = options;
    const reply: SearchQueriesResponse = await client.insights.queries({
      entityIds: [entity.id],
      limit,
      ...(cursor === undefined ? {} : { cursor }),
      ...chosen,
    });
    const format = formatOf(options, io);
    const printable = {
      document: reply,
      table: (terminal: Terminal) =>
        queriesTable(reply, { timeRange, entity: entity.name }, terminal),
      fields: queryFields,
      records: () => queryRecords(reply),
    };
    printReply(format, printable, io);
    if (format === "table") io.stderr.write(emptyHint(reply.empty));
  });
}
