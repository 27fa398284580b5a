import { connectionOf } from "../connection/connection.ts";
import { withClient } from "../connection/with-client.ts";
import { workspaceFields, workspaceRecords } from "../output/records.ts";
import type { Terminal } from "../output/terminal.ts";
import { workspaceTable } from "../output/workspace-table.ts";
import type { Surroundings } from "../surroundings.ts";
import { formatOf, printReply } from "./print-reply.ts";
import type { WorkspaceOptions } from "./question-options.ts";

/** Requests what the account tracks and what can be queried, and prints it. */
export async function askWorkspace(
  options: WorkspaceOptions,
  surroundings: Surroundings,
): Promise<void> {
  const connection = await connectionOf(options, surroundings);
  const reply = await withClient(connection, (client) => client.workspace());
  const printable = {
    document: reply,
    table: (terminal: Terminal) => workspaceTable(reply, terminal),
    fields: workspaceFields,
    records: () => workspaceRecords(reply),
  };
  printReply(formatOf(options, surroundings), printable, surroundings);
}
