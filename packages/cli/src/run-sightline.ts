import { CommanderError } from "commander";
import type { CommandIo } from "./command-io.ts";
import { sightlineProgram } from "./program.ts";
import { reportFailure, reportUsage } from "./report-failure.ts";
import type { ExitStatus } from "./result.ts";

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
