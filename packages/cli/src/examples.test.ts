import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "commander";
import { commands } from "./commands.ts";
import { sightlineProgram } from "./program.ts";

/** Every command below one, itself included. */
function commandsBelow(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(commandsBelow)];
}

function helpOf(command: Command): string {
  let help = "";
  command.configureOutput({ writeOut: (text) => (help += text) });
  command.outputHelp();
  return help;
}

/** The command lines of a help's examples, each on one line. */
function exampleLines(help: string): readonly string[] {
  const [, examples = ""] = help.split("\nExamples:\n");
  return examples
    .replaceAll(/ \\\n +/g, " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

const programs = Object.keys(commands).map((name) => sightlineProgram([name]));
const all = (await Promise.all(programs)).flatMap((program) => program.commands);

for (const command of [await sightlineProgram([]), ...all.flatMap(commandsBelow)]) {
  const path = pathOf(command);
  test(`--help of ${path} has examples, which this program understands`, async () => {
    const lines = exampleLines(helpOf(command));
    assert.ok(lines.length > 0, "no example");
    for (const line of lines) await understands(line);
  });
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** Parses each `sightline …` of a line with actions that do nothing. @throws for a wrong one. */
async function understands(line: string): Promise<void> {
  const parts = [...line.matchAll(/(?:^|[|(] ?)(sightline [^|)]+)/g)].map(([, part]) => part ?? "");
  assert.ok(parts.length > 0, line);
  for (const part of parts) {
    const words = (part.trim().match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ""));
    const given = words.slice(1).filter((word) => word !== "--help"); // which ends the parsing
    const fresh = await sightlineProgram(given);
    for (const command of commandsBelow(fresh)) command.action(() => undefined);
    await fresh.parseAsync(given, { from: "user" });
  }
}
