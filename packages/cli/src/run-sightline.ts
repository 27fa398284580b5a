import { CommanderError } from "commander";
import { sightlineProgram } from "./program.ts";
import { reportFailure, reportUsage } from "./report-failure.ts";
import type { ExitStatus } from "./result.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * Runs a command line.
 * @returns the status of a failure; 0 also when the command itself set another status.
 */
export async function runSightline(
  parameters: readonly string[],
  surroundings: Surroundings,
): Promise<ExitStatus> {
  try {
    const program = await sightlineProgram(parameters, surroundings);
    await program.parseAsync(parameters, { from: "user" });
    return 0;
  } catch (error) {
    const json = parameters.includes("--json");
    return error instanceof CommanderError
      ? reportUsage(error, json, surroundings)
      : reportFailure(error, json, surroundings);
  }
}
