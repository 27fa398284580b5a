import { Sightline } from "@sightline/client";
import { Command } from "commander";
import { type CommandIo, processIo } from "../command-io.ts";
import {
  type ConnectionOptions,
  connectionOf,
  withConnectionOptions,
} from "../connection/connection.ts";
import { withExamples } from "../examples.ts";
import { safeText } from "../output/safe-text.ts";
import { CommandError } from "../result.ts";

/** A person waits for the assistant, which can also retry. */
const retriesMax = 2;

/** `sightline mcp`: the tools for assistants over standard input and output. */
export function mcpCommand(io: CommandIo = processIo): Command {
  const command = new Command("mcp");
  withExamples(
    withConnectionOptions(command),
    ["sightline mcp", "the command that an assistant starts; uses the default profile"],
    ["sightline mcp --profile work", "uses another profile"],
  );
  return command.action((options: ConnectionOptions) => serveTools(options, io));
}

/** Standard output belongs to the protocol: all else goes to standard error. */
async function serveTools(options: ConnectionOptions, io: CommandIo): Promise<void> {
  const { url, key } = await connectionOf(options, io);
  const { stdin, stdout, stderr, now } = io;
  // Other commands do not load the protocol's library.
  const { mcpOverStdio } = await import("@sightline/mcp");
  const say = (what: string, error: unknown) => {
    const cause = error instanceof Error ? error.message : String(error);
    stderr.write(`sightline: ${what}: ${safeText(cause)}\n`);
  };
  const end = await mcpOverStdio({
    input: stdin,
    output: stdout,
    host: {
      sightline: new Sightline({ baseUrl: url, key, retriesMax }),
      now,
      onUnforeseen: (error) => say("a tool failed", error),
    },
    onError: (error) => say("a message from the assistant was rejected", error),
  });
  if (end === "ended") return;
  stdin.destroy(); // a process that still writes to it would delay the end
  throw new CommandError("The connection to the assistant was lost.");
}
