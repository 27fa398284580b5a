#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { applyCommand } from "./commands/apply.ts";
import { demoCommand } from "./commands/demo.ts";
import { importCommand } from "./commands/import.ts";
import { keysCommand } from "./commands/keys.ts";
import { serveCommand } from "./commands/serve.ts";
import { reportFailure } from "./report-failure.ts";

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
  // Wrong usage was reported by commander already; its help and version are no failures.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else process.exitCode = reportFailure(error, process.argv.includes("--json"));
}
