import { diagnose } from "@sightline/server/doctor";
import { Command } from "commander";
import { withExamples } from "../examples.ts";
import { printResult } from "../result.ts";
import { type DataOptions, existingFolder } from "../storage.ts";

/** `sightline doctor`: reads and checks every file completely. */
export function doctorCommand(): Command {
  const command = new Command("doctor")
    .description("check every file of the data folder; changes nothing")
    .option("--data-dir <dir>", "folder of all data (default: ./data)")
    .option("--json", "print one JSON document")
    .action(runDoctor);
  return withExamples(command, ["sightline doctor --data-dir data", "reads every file whole"]);
}

async function runDoctor(options: DataOptions): Promise<void> {
  const diagnosis = await diagnose(existingFolder(options));
  const lines = [
    ...diagnosis.faults.map(({ file, fault }) => `${file}: ${fault}`),
    ...diagnosis.skipped.map(({ file, fault }) => `${file}: not checked: ${fault}`),
    `${diagnosis.checked.length} files checked, ${diagnosis.faults.length} faults.`,
  ];
  printResult(options.json === true, diagnosis, lines.join("\n"));
  if (!diagnosis.ok) process.exitCode = 1;
}
