import { sightlineVersion } from "@sightline/contract/version";
import { Command } from "commander";
import { commands } from "./commands.ts";
import { withExamples } from "./examples.ts";
import { processSurroundings, type Surroundings } from "./surroundings.ts";

/**
 * The command line. When its first word is a command, that one is all that it holds, and none when
 * the version is asked for: loading the server's engines would take longer than a question or a
 * small import. Parsing throws commander's errors instead of ending the process.
 */
export async function sightlineProgram(
  parameters: readonly string[],
  surroundings: Surroundings = processSurroundings,
): Promise<Command> {
  const program = new Command("sightline")
    .description("How a brand and its competitors appear in the answers of AI assistants.")
    .version(sightlineVersion)
    .showHelpAfterError("(add --help for usage)")
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
  const [name = ""] = parameters;
  for (const load of askedFor(name)) program.addCommand(await load(surroundings));
  inherit(program);
  return program;
}

function askedFor(word: string) {
  if (word === "--version" || word === "-V") return [];
  const command = Object.hasOwn(commands, word) ? commands[word] : undefined;
  return command === undefined ? Object.values(commands) : [command];
}

/** addCommand does not hand settings down, since a command may have its own. */
function inherit(command: Command): void {
  for (const inner of command.commands) inherit(inner.copyInheritedSettings(command));
}
