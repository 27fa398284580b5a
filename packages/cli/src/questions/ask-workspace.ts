import type { CommandIo } from "../command-io.ts";
import { connectionOf } from "../connection/connection.ts";
import { withClient } from "../connection/with-client.ts";
import { workspaceFields, workspaceRecords } from "../output/records.ts";
import type { Terminal } from "../output/terminal.ts";
import { workspaceTable } from "../output/workspace-table.ts";
import { formatOf, printReply } from "./print-reply.ts";
import type { WorkspaceOptions } from "./question-options.ts";

/** Requests what the account tracks and what can be queried, and prints it. */
export async function askWorkspace(options: WorkspaceOptions, io: CommandIo): Promise<void> {
  const connection = await connectionOf(options, io);
  const reply = await withClient(connection, (client) => client.workspace());
  const printable = {
    document: reply,
    table: (terminal: Terminal) => workspaceTable(reply, terminal),
    fields: workspaceFields,
    records: () => workspaceRecords(reply),
  };
  printReply(formatOf(options, io), printable, io);
}
