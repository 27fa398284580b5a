import { CommanderError } from "commander";
import type { CommandIo } from "./command-io.ts";
import { safeText } from "./output/safe-text.ts";
import { sightlineProgram } from "./program.ts";
import { CommandError, type ExitStatus } from "./result.ts";

/**
 * Runs a command line.
 * @returns the status of a failure; 0 also when the command itself set another status.
 */
export async function runSightline(
  parameters: readonly string[],
  io: CommandIo,
): Promise<ExitStatus> {
  try {
    const program = await sightlineProgram(parameters, io);
    await program.parseAsync(parameters, { from: "user" });
    return 0;
  } catch (error) {
    const json = parameters.includes("--json");
    return error instanceof CommanderError
      ? reportUsage(error, json, io)
      : reportFailure(error, json, io);
  }
}

/**
 * Reports a failure: the message on standard error, and with `--json` one document on standard
 * output.
 * @returns the exit status.
 */
function reportFailure(error: unknown, json: boolean, { stdout, stderr }: CommandIo): ExitStatus {
  const message = error instanceof Error ? error.message : String(error);
  // Messages may contain untrusted names and texts.
  const lines = message.split("\n").map(safeText);
  stderr.write(`sightline: ${lines.join("\n")}\n`);
  if (json) printError(stdout, { message, ...detailsOf(error) });
  if (error instanceof CommandError) return error.exitStatus;
  return faultsOf(error) === undefined ? 1 : 2;
}

/**
 * With `--json`, reports what was wrong with the command line; commander has already printed it on
 * standard error. Help and version are not failures.
 * @returns the exit status.
 */
function reportUsage(
  { exitCode, message }: CommanderError,
  json: boolean,
  { stdout }: CommandIo,
): ExitStatus {
  if (exitCode === 0) return 0;
  if (json) printError(stdout, { message: message.replace(/^error: /, "") });
  return 2;
}

function printError(stdout: CommandIo["stdout"], error: object): void {
  stdout.write(`${JSON.stringify({ error })}\n`);
}

function detailsOf(error: unknown) {
  const faults = faultsOf(error);
  if (faults !== undefined) return { faults };
  return error instanceof CommandError && error.details !== undefined
    ? { details: error.details }
    : {};
}

/**
 * The faults of a workspace file or a configuration. Detected by the property instead of the
 * classes, which would load the server's engines for every command.
 */
function faultsOf(error: unknown): unknown {
  return error instanceof Error && "faults" in error ? error.faults : undefined;
}
