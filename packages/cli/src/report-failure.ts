import { ConfigError, WorkspaceFileError } from "@sightline/server";
import { CommandError, type ExitStatus } from "./result.ts";

/**
 * Says what went wrong: the message on standard error, and with `--json` one document on standard
 * output. @returns the exit status.
 */
export function reportFailure(error: unknown, json: boolean): ExitStatus {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`sightline: ${message}\n`);
  if (json)
    process.stdout.write(`${JSON.stringify({ error: { message, ...detailsOf(error) } })}\n`);
  if (error instanceof CommandError) return error.exitStatus;
  return error instanceof ConfigError || error instanceof WorkspaceFileError ? 2 : 1;
}

function detailsOf(error: unknown) {
  if (error instanceof WorkspaceFileError || error instanceof ConfigError) {
    return { faults: error.faults };
  }
  return error instanceof CommandError && error.details !== undefined
    ? { details: error.details }
    : {};
}
