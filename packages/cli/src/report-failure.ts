import { ConfigError, WorkspaceFileError } from "@sightline/server";
import type { CommanderError } from "commander";
import { CommandError, type ExitStatus } from "./result.ts";

/**
 * Says what went wrong: the message on standard error, and with `--json` one document on standard
 * output. @returns the exit status.
 */
export function reportFailure(error: unknown, json: boolean): ExitStatus {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`sightline: ${message}\n`);
  if (json) printError({ message, ...detailsOf(error) });
  if (error instanceof CommandError) return error.exitStatus;
  return error instanceof ConfigError || error instanceof WorkspaceFileError ? 2 : 1;
}

/**
 * Says with `--json` what was wrong with the command line; commander has told it on standard error
 * already. Help and the version are no failures. @returns the exit status.
 */
export function reportUsage({ exitCode, message }: CommanderError, json: boolean): ExitStatus {
  if (exitCode === 0) return 0;
  if (json) printError({ message: message.replace(/^error: /, "") });
  return 2;
}

function printError(error: object): void {
  process.stdout.write(`${JSON.stringify({ error })}\n`);
}

function detailsOf(error: unknown) {
  if (error instanceof WorkspaceFileError || error instanceof ConfigError) {
    return { faults: error.faults };
  }
  return error instanceof CommandError && error.details !== undefined
    ? { details: error.details }
    : {};
}
