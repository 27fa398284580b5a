import { existsSync } from "node:fs";
import { rangeBefore } from "@sightline/contract";
import { FreezeError, freeze } from "@sightline/server/freeze";
import { askFrozenService } from "@sightline/server/frozen-service";
import { Command } from "commander";
import { processIo } from "../command-io.ts";
import { withExamples } from "../examples.ts";
import { counted } from "../output/counted.ts";
import { progressLine } from "../output/progress-line.ts";
import { safeText } from "../output/safe-text.ts";
import { type TimeRange, timeRangeOf } from "../questions/time-range.ts";
import { timeForms } from "../questions/time-word.ts";
import { CommandError, printResult } from "../result.ts";
import { accountOf, type DataOptions, requireExisting, withStorage } from "../storage.ts";

interface FreezeOptions extends DataOptions {
  readonly account?: string;
  readonly from: string;
  readonly to: string;
  readonly compareFrom?: string;
  readonly compareTo?: string;
  readonly force?: boolean;
}

/** `sightline freeze FILE`: the numbers of a range and what they rest on, for others to check. */
export function freezeCommand(): Command {
  const command = new Command("freeze")
    .argument("<file>", "the archive, such as october.tar; must not exist yet")
    .requiredOption("--from <time>", `start of the range: ${timeForms}`)
    .requiredOption("--to <time>", "end of the range, exclusive")
    .option("--compare-from <time>", "start of the range to compare with (default: the one before)")
    .option("--compare-to <time>", "its end, exclusive")
    .option("--account <id>", "the account; may be left out when there is only one")
    .option("--force", "replace the file when it exists")
    .option("--data-dir <dir>", "folder of all data (default: SIGHTLINE_DATA_DIR, else ./data)")
    .option("--json", "print one JSON document")
    .action(runFreeze);
  return withExamples(command, [
    "sightline freeze october.tar --from 2026-10 --to 2026-11",
    "compared with September",
  ]);
}

async function runFreeze(file: string, options: FreezeOptions): Promise<void> {
  requireExisting(options);
  if (options.force !== true && existsSync(file)) {
    throw new CommandError(`${file} exists already. Name a new file, or add --force.`, 2);
  }
  const ranges = rangesOf(options);
  const progress = progressLine(processIo);
  const { manifest, thumbprint } = await withStorage(options, async (storage) => {
    const accountId = await accountOf(storage, options.account);
    const onProgress = progress.update;
    return freeze(storage, { accountId, file, ...ranges, ask: askFrozenService, onProgress });
  })
    .catch(refuse)
    .finally(() => progress.end());
  const { account, answers, files } = manifest;
  const counts = `${counted(answers.frozen, "answer")}, ${counted(files.length, "file")}`;
  printResult(
    options.json === true,
    { file, account, ...ranges, answers, files: files.length, thumbprint },
    `${file}: ${safeText(account.name)}, ${counts}.\nSigned with the key ${thumbprint}.`,
  );
}

function refuse(error: unknown): never {
  throw error instanceof FreezeError ? new CommandError(error.message) : error;
}

interface FrozenRanges {
  readonly timeRange: TimeRange;
  readonly compare: TimeRange;
}

function rangesOf({ from, to, compareFrom, compareTo }: FreezeOptions): FrozenRanges {
  const nowMs = processIo.now();
  const timeRange = timeRangeOf({ from, to }, nowMs);
  if ((compareFrom === undefined) !== (compareTo === undefined)) {
    throw new CommandError("--compare-from and --compare-to go together.", 2);
  }
  if (compareFrom === undefined || compareTo === undefined) {
    return { timeRange, compare: rangeBeforeOf(timeRange) };
  }
  const compare = timeRangeOf({ from: compareFrom, to: compareTo }, nowMs);
  if (compare.from < timeRange.to && timeRange.from < compare.to) {
    throw new CommandError("The compared range must not overlap the range.", 2);
  }
  return { timeRange, compare };
}

function rangeBeforeOf({ from, to }: TimeRange): TimeRange {
  const before = rangeBefore({ fromMs: Date.parse(from), toMs: Date.parse(to) });
  if ("refused" in before) throw new CommandError(`--from: ${before.refused}`, 2);
  const { fromMs, toMs } = before;
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}
