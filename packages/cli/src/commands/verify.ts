import { existsSync } from "node:fs";
import { askFrozenService } from "@sightline/server/frozen-service";
import { type Verification, verifyArchive } from "@sightline/server/verify-archive";
import { Command } from "commander";
import { processIo } from "../command-io.ts";
import { withExamples } from "../examples.ts";
import { counted } from "../output/counted.ts";
import { progressLine } from "../output/progress-line.ts";
import { safeText } from "../output/safe-text.ts";
import { CommandError, printResult } from "../result.ts";

/** `sightline verify FILE`: checks an archive that `freeze` wrote, without any service. */
export function verifyCommand(): Command {
  const command = new Command("verify")
    .argument("<file>", "the archive")
    .option("--json", "print one JSON document")
    .action(runVerify);
  return withExamples(command, ["sightline verify october.tar", "needs no service and no data"]);
}

async function runVerify(file: string, { json }: { readonly json?: boolean }): Promise<void> {
  if (!existsSync(file)) throw new CommandError(`${file}: no such file.`, 2);
  const progress = progressLine(processIo);
  const onProgress = progress.update;
  const found = await verifyArchive(file, { ask: askFrozenService, onProgress }).finally(() =>
    progress.end(),
  );
  printResult(json === true, { file, ...found }, textOf(file, found));
  if (!found.ok) process.exitCode = 1;
}

function textOf(file: string, found: Verification): string {
  const { manifest, thumbprint, faults, recomputed, differences, versions } = found;
  const of = manifest === null ? "" : `: ${manifest.account.name}, frozen ${manifest.createdAt}`;
  const { replies, numbers } = recomputed;
  const ranges = manifest && `${rangeText(manifest.timeRange)}, compared with`;
  const lines = [
    `${file}${of}`,
    ...(manifest === null ? [] : [`Range: ${ranges} ${rangeText(manifest.compare)}`]),
    ...(thumbprint === null ? [] : [`Signed with the key ${thumbprint}.`]),
    ...faults.map((each) => `${each.file}: ${each.fault}`),
    ...differences.map(
      ({ file: reply, at, frozen, recomputed: again }) =>
        `${reply} ${at}: frozen ${JSON.stringify(frozen)}, computed ${JSON.stringify(again)}`,
    ),
    ...versions,
    faults.length > 0
      ? `${counted(faults.length, "fault")}. Nothing was computed again.`
      : `${counted(numbers, "number")} of ${replies} replies computed again: ` +
        (differences.length === 0 ? "all agree." : `${differences.length} differ.`),
  ];
  return lines.map(safeText).join("\n");
}

function rangeText({ from, to }: { readonly from: string; readonly to: string }): string {
  return `${from} to ${to}`;
}
