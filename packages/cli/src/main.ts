#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { applyCommand } from "./commands/apply.ts";
import { demoCommand } from "./commands/demo.ts";
import { importCommand } from "./commands/import.ts";
import { keysCommand } from "./commands/keys.ts";
import { serveCommand } from "./commands/serve.ts";
import { reportFailure, reportUsage } from "./report-failure.ts";

const program = new Command("sightline")
  .description("How a brand and its competitors appear in the answers of AI assistants.")
  .version("0.1.0")
  .showHelpAfterError("(--help shows what is allowed)")
  .showSuggestionAfterError()
  .exitOverride();
for (const command of [demoCommand, serveCommand, applyCommand, importCommand, keysCommand]) {
  program.addCommand(command().copyInheritedSettings(program));
}
for (const command of program.commands) {
  for (const inner of command.commands) inner.copyInheritedSettings(program);
}

try {
  await program.parseAsync();
} catch (error) {
  const json = process.argv.includes("--json");
  process.exitCode =
    error instanceof CommanderError ? reportUsage(error, json) : reportFailure(error, json);
}
