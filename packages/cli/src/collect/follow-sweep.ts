import { setTimeout as pause } from "node:timers/promises";
import type { ListedCollection, ListedVendor } from "@sightline/contract";
import type { CollectionService } from "@sightline/server/collection-service";
import { credentialSettings } from "@sightline/server/config";
import { createLogger } from "@sightline/server/logger";
import { repeat } from "@sightline/server/repeat";
import { processIo } from "../command-io.ts";
import { heldTexts, progressText } from "../output/collection-tables.ts";
import { progressLine } from "../output/progress-line.ts";
import { safeText } from "../output/safe-text.ts";
import { CommandError } from "../result.ts";

/** Requests under way are let end for so long after a signal. */
const graceMs = 6_000;
/** What to do about questions that a cap holds back. */
const untilThen =
  "This command waits for them. Interrupt it to leave them to another process that collects.";
const lookEveryMs = { here: 500, there: 2_000 } as const;

/** Resolves with the first signal that stops a process, and not later. */
export function stopSignal(): Promise<"stopped"> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => resolve("stopped"));
    }
  });
}

/**
 * Collects in this process while some work goes on.
 * @param plans whether schedules are planned too.
 */
export async function whileCollecting<Result>(
  here: CollectionService,
  plans: boolean,
  work: () => Promise<Result>,
): Promise<Result> {
  const collector = here.collector();
  await collector.reportHealth();
  const stop = repeat(createLogger("error"), collector.works(plans));
  try {
    return await work();
  } finally {
    stop();
    await collector.close(pause(graceMs, undefined, { ref: false }));
  }
}

/** How a sweep is followed. */
export interface FollowOptions {
  readonly isHere: boolean;
  readonly stopped: Promise<"stopped">;
  /** How vendors stand; omitted: nobody asks. */
  readonly vendors?: () => Promise<readonly ListedVendor[]>;
  /** Whether it stays when all that is open waits for vendors that are stopped. */
  readonly waits?: boolean;
}

/**
 * Shows the progress of a sweep until it has ended, and says once what a cap holds back and which
 * vendor is stopped.
 * @returns null: the process was told to stop.
 * @throws CommandError when every vendor of what is open is stopped.
 */
export async function followSweep(
  get: () => Promise<ListedCollection>,
  { isHere, stopped, vendors, waits = false }: FollowOptions,
): Promise<ListedCollection | null> {
  const progress = progressLine(processIo);
  const everyMs = isHere ? lookEveryMs.here : lookEveryMs.there;
  const said = new Set<string>();
  const sayOnce = (about: string, text: string) => {
    if (said.has(about)) return;
    said.add(about);
    progress.end();
    processIo.stderr.write(`${text}\n`);
  };
  try {
    for (;;) {
      const sweep = await get();
      const open = sweep.parts.filter(({ publishedAt }) => publishedAt === null);
      // What is held back waits for somebody, and not for this command.
      const isHeldBack = open.length > 0 && open.every(({ suspicious }) => suspicious.length > 0);
      if (sweep.endedAt !== null || isHeldBack) return sweep;
      const held = heldTexts(sweep);
      if (held.length > 0) sayOnce("caps", `${held.join("\n")}\n${untilThen}`);
      const halts = haltsOf(sweep, vendors === undefined ? [] : await vendors());
      for (const { vendor, text } of halts.vendors) sayOnce(vendor, text);
      if (halts.areAll && !waits) throw new CommandError(allHalted(sweep.id), 1);
      progress.update(progressText(sweep));
      if ((await Promise.race([stopped, pause(everyMs, "again")])) === "stopped") return null;
    }
  } finally {
    progress.end();
  }
}

/** A vendor that waits for longer is as good as stopped: its quota of the day is used up. */
const haltMs = 11 * 60_000;

/** The vendors of open questions that are asked nothing for long, and whether those are all. */
function haltsOf({ parts }: ListedCollection, vendors: readonly ListedVendor[]) {
  const open = new Set(
    parts.flatMap(({ vendor, queued, underWay }) => (queued + underWay > 0 ? [vendor] : [])),
  );
  const halted = vendors.filter(({ vendor, state, until }) => {
    const isLong = until !== null && Date.parse(until) - Date.now() > haltMs;
    return open.has(vendor) && (state === "stopped" || (state === "waiting" && isLong));
  });
  const texts = halted.map((each) => ({ vendor: each.vendor, text: haltedText(each) }));
  return { vendors: texts, areAll: open.size > 0 && halted.length === open.size };
}

function haltedText({ vendor, state, until, reason }: ListedVendor): string {
  const said = (reason ?? "The vendor gave no reason.").replace(/(?<![.!?])$/, ".");
  if (state !== "stopped") return safeText(`${vendor} is not asked until ${until}: ${said}`);
  const setting = credentialSettings.find((each) => each.vendor === vendor)?.environment ?? "";
  return safeText(
    `${vendor} is stopped: ${said} Check ${setting} and the account's balance. ` +
      `It is tried again at ${until}.`,
  );
}

function allHalted(sweepId: string): string {
  return (
    "Every vendor of the open questions is stopped. The questions stay open: until its deadline, " +
    `sweep ${sweepId} continues when a process collects and its vendors answer. ` +
    "With --wait, this command keeps waiting."
  );
}
