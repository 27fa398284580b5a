#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { applyCommand } from "./commands/apply.ts";
import { backupCommand } from "./commands/backup.ts";
import { demoCommand } from "./commands/demo.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { importCommand } from "./commands/import.ts";
import { keysCommand } from "./commands/keys.ts";
import { rebuildCommand } from "./commands/rebuild.ts";
import { restoreCommand } from "./commands/restore.ts";
import { serveCommand } from "./commands/serve.ts";
import { reportFailure, reportUsage } from "./report-failure.ts";

// Records, keys' hashes and signing keys are nobody else's to read.
process.umask(0o077);

const program = new Command("sightline")
  .description("How a brand and its competitors appear in the answers of AI assistants.")
  .version("0.1.0")
  .showHelpAfterError("(--help shows what is allowed)")
  .showSuggestionAfterError()
  .exitOverride();
const commands = [
  demoCommand,
  serveCommand,
  applyCommand,
  importCommand,
  keysCommand,
  backupCommand,
  restoreCommand,
  doctorCommand,
  rebuildCommand,
];
for (const command of commands) {
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
