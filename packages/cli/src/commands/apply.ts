import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { readWorkspaceFile } from "@sightline/server/workspace-file";
import { Command } from "commander";
import { withExamples } from "../examples.ts";
import { CommandError, printResult } from "../result.ts";
import { type DataOptions, withStorage } from "../storage.ts";

/** `sightline apply workspace.yaml`: makes an account track exactly what the file says. */
export function applyCommand(): Command {
  const command = new Command("apply")
    .description("make an account track exactly what a workspace file (YAML or JSON) says")
    .argument("<file>", "the workspace file; - for standard input")
    .option("--data-dir <dir>", "folder of all data (default: ./data)")
    .option("--json", "print one JSON document")
    .action(apply);
  return withExamples(
    command,
    ["sightline apply workspace.yaml", "tracks what the file says; twice changes nothing"],
    ["sightline apply - --data-dir data", "reads standard input"],
  );
}

async function apply(file: string, options: DataOptions): Promise<void> {
  const workspace = readWorkspaceFile(await readInput(file));
  const report = await withStorage(options, ({ control }) =>
    control.apply(workspace.accountId, workspace),
  );
  const { accountId, created, updated, retired, unchanged } = report;
  const counts = `${created} created, ${updated} updated, ${retired} retired`;
  const text = `Account ${accountId}: ${counts}, ${unchanged} unchanged.`;
  printResult(options.json === true, report, text);
}

async function readInput(file: string): Promise<string> {
  try {
    const bytes = file === "-" ? await buffer(process.stdin) : await readFile(file);
    // Fatal: a file in another encoding would track names that nobody has written.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`The workspace file cannot be read: ${reason}`, 2);
  }
}
