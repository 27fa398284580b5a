import { sightlineVersion } from "@sightline/contract/version";
import { Command, Help } from "commander";
import { type CommandIo, processIo } from "./command-io.ts";
import { commands } from "./commands.ts";
import { withExamples } from "./examples.ts";

/**
 * The command line. When its first word is a command, that one is all that it holds: loading the
 * server's engines would take longer than a question or a small import. Otherwise it holds the
 * names of all, for the help. Parsing throws commander's errors instead of ending the process.
 */
export async function sightlineProgram(
  parameters: readonly string[],
  io: CommandIo = processIo,
): Promise<Command> {
  const program = new Command("sightline")
    .description("How a brand and its competitors appear in the answers of AI assistants.")
    .version(sightlineVersion)
    .showHelpAfterError("(add --help for usage)")
    .showSuggestionAfterError()
    .configureHelp({ subcommandTerm: nameAndArguments })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
    })
    .exitOverride();
  withExamples(
    program,
    ["sightline demo", "a service with a year of generated answers"],
    ["sightline login", "store a service's address and key"],
    ["sightline query mentions --plot", "a chart of the last 30 days"],
    ["sightline query mentions --help", "every filter and form of output"],
  );
  for (const command of await commandsFor(parameters, io)) program.addCommand(command);
  inherit(program);
  return program;
}

/** Options are the help's of the command itself. */
function nameAndArguments(command: Command): string {
  return new Help().subcommandTerm(command).replace(" [options]", "");
}

async function commandsFor(
  parameters: readonly string[],
  io: CommandIo,
): Promise<readonly Command[]> {
  const [first = "", second = ""] = parameters.filter((word) => word !== "--");
  const word = first === "help" ? second : first;
  const asked = Object.hasOwn(commands, word) ? commands[word] : undefined;
  if (asked !== undefined) {
    return [(await asked.load(io)).description(asked.description)];
  }
  return Object.entries(commands).map(([name, { description }]) =>
    new Command(name).description(description),
  );
}

/** addCommand does not hand settings down, since a command may have its own. */
function inherit(command: Command): void {
  for (const inner of command.commands) inherit(inner.copyInheritedSettings(command));
}
