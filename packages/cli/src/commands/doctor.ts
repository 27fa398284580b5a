import { diagnoseNodes } from "@sightline/server/diagnose-nodes";
import { diagnose } from "@sightline/server/doctor";
import { Command } from "commander";
import { withExamples } from "../examples.ts";
import { clusterReport } from "../output/cluster-report.ts";
import { counted } from "../output/counted.ts";
import { printResult } from "../result.ts";
import { clusterPlace, type DataOptions, existingFolder, placeOf } from "../storage.ts";

/** `sightline doctor`: reads and checks every file completely, or every engine of a cluster. */
export function doctorCommand(): Command {
  const command = new Command("doctor")
    .option("--data-dir <dir>", "folder of all data (default: SIGHTLINE_DATA_DIR, else ./data)")
    .option("--json", "print one JSON document")
    .action(runDoctor);
  return withExamples(command, ["sightline doctor --data-dir data", "reads every file whole"]);
}

async function runDoctor(options: DataOptions): Promise<void> {
  const json = options.json === true;
  const cluster = clusterPlace(options);
  const isOk =
    cluster === null
      ? await checkFolder(options, json)
      : await diagnoseNodes(placeOf(options), cluster).then((diagnosis) => {
          printResult(json, diagnosis, clusterReport(diagnosis));
          return diagnosis.ok;
        });
  if (!isOk) process.exitCode = 1;
}

async function checkFolder(options: DataOptions, json: boolean): Promise<boolean> {
  const diagnosis = await diagnose(existingFolder(options));
  const { checked, faults, skipped } = diagnosis;
  const lines = [
    ...faults.map(({ file, fault }) => `${file}: ${fault}`),
    ...skipped.map(({ file, fault }) => `${file}: not checked: ${fault}`),
    `${counted(checked.length, "file")} checked, ${counted(faults.length, "fault")}.`,
  ];
  printResult(json, diagnosis, lines.join("\n"));
  return diagnosis.ok;
}
