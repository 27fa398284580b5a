import type { InsightsPresenceResponse } from "@sightline/client";
import type { CommandIo } from "../command-io.ts";
import { connectionOf } from "../connection/connection.ts";
import { withClient } from "../connection/with-client.ts";
import {
  changeFields,
  comparedFields,
  presenceFields,
  presenceRecords,
} from "../output/insight-records.ts";
import { presenceTable } from "../output/presence-table.ts";
import type { Terminal } from "../output/terminal.ts";
import { comparisonOf } from "./compared-range.ts";
import { emptyHint } from "./empty-hint.ts";
import { chosenOf } from "./filters.ts";
import { entityOf } from "./names.ts";
import { formatOf, printReply } from "./print-reply.ts";
import { includedFacts } from "./question-options.ts";
import type { PresenceOptions } from "./source-options.ts";
import { timeRangeOf } from "./time-range.ts";

/** Asks in how many answers an entity is mentioned, cited, both or neither, and prints it. */
export async function askPresence(options: PresenceOptions, io: CommandIo): Promise<void> {
  const now = io.now();
  const timeRange = timeRangeOf(options, now);
  const { compared, fieldsFor } = comparisonOf(options, timeRange, now);
  const connection = await connectionOf(options, io);
  await withClient(connection, async (client) => {
    const chosen = await chosenOf(options, timeRange, () => client.workspace());
    const entity = await entityOf(options.entity, client);
    const reply: InsightsPresenceResponse = await client.insights.presence({
      entityId: entity.id,
      ...chosen,
      ...fieldsFor(chosen),
      ...includedFacts(options),
    });
    const format = formatOf(options, io);
    const ranges = { timeRange, compared, parts: options.parts === true };
    const shown = { ...ranges, entity: entity.name };
    const changed = compared === null ? [] : [...changeFields, ...comparedFields];
    const printable = {
      document: reply,
      table: (terminal: Terminal) => presenceTable(reply, shown, terminal),
      fields: [...presenceFields, ...changed],
      records: () => presenceRecords(reply),
      facts: reply.facts,
    };
    printReply(format, printable, io);
    if (format === "table") io.stderr.write(emptyHint(reply.empty));
  });
}
