import { Command } from "commander";
import { completionCommand } from "./commands/completion.ts";
import { loginCommand } from "./commands/login.ts";
import { logoutCommand } from "./commands/logout.ts";
import { mcpCommand } from "./commands/mcp.ts";
import { queryCommand } from "./commands/query.ts";
import { withExamples } from "./examples.ts";
import { processSurroundings, type Surroundings } from "./surroundings.ts";

/** The commands that ask a service over HTTP, and need nothing of the server. */
const clientCommands: Readonly<Record<string, (surroundings: Surroundings) => Command>> = {
  query: queryCommand,
  login: loginCommand,
  logout: logoutCommand,
  mcp: mcpCommand,
};

/**
 * The command line. When its first word is a command over HTTP, those commands are all that it
 * holds: loading the server's engines would take longer than the question. Parsing throws
 * commander's errors instead of ending the process.
 */
export async function sightlineProgram(
  parameters: readonly string[],
  surroundings: Surroundings = processSurroundings,
): Promise<Command> {
  const program = new Command("sightline")
    .description("How a brand and its competitors appear in the answers of AI assistants.")
    .version("0.1.0")
    .showHelpAfterError("(--help shows what is allowed)")
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => void surroundings.stdout.write(text),
      writeErr: (text) => void surroundings.stderr.write(text),
    })
    .exitOverride();
  withExamples(
    program,
    ["sightline demo", "a service with a year of generated answers"],
    ["sightline login", "store a service's address and key"],
    ["sightline query mentions --plot", "a chart of the last 30 days"],
    ["sightline query mentions --help", "every filter and form of output"],
  );
  if (!Object.hasOwn(clientCommands, parameters[0] ?? "")) {
    const { dataCommands } = await import("./data-commands.ts");
    for (const command of dataCommands) program.addCommand(command());
  }
  for (const command of Object.values(clientCommands)) program.addCommand(command(surroundings));
  program.addCommand(completionCommand(() => program, surroundings));
  inherit(program);
  return program;
}

/** addCommand does not hand settings down, since a command may have its own. */
function inherit(command: Command): void {
  for (const inner of command.commands) inherit(inner.copyInheritedSettings(command));
}
