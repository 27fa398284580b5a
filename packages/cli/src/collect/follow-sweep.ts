import { setTimeout as pause } from "node:timers/promises";
import type { ListedCollection } from "@sightline/contract";
import type { CollectionsHere } from "@sightline/server/collections-here";
import { createLogger } from "@sightline/server/logger";
import { repeat } from "@sightline/server/repeat";
import { heldTexts, progressText } from "../output/collection-tables.ts";
import { progressLine } from "../output/progress-line.ts";
import { processSurroundings } from "../surroundings.ts";

/** Requests under way are let end for so long after a signal. */
const graceMs = 6_000;
/** What to do about questions that a cap holds back. */
const untilThen =
  "This command waits for them. Interrupt it to leave them to another process that collects.\n";
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
  here: CollectionsHere,
  plans: boolean,
  work: () => Promise<Result>,
): Promise<Result> {
  const collector = here.collector();
  await collector.noteHealth();
  const stop = repeat(createLogger("error"), collector.works(plans));
  try {
    return await work();
  } finally {
    stop();
    await collector.close(pause(graceMs, undefined, { ref: false }));
  }
}

/**
 * Shows the progress of a sweep until it has ended, and says once what a cap holds back.
 * @returns null: the process was told to stop.
 */
export async function followSweep(
  get: () => Promise<ListedCollection>,
  { isHere, stopped }: { readonly isHere: boolean; readonly stopped: Promise<"stopped"> },
): Promise<ListedCollection | null> {
  const progress = progressLine(processSurroundings);
  const everyMs = isHere ? lookEveryMs.here : lookEveryMs.there;
  let saysHeld = true;
  try {
    for (;;) {
      const sweep = await get();
      const open = sweep.parts.filter(({ publishedAt }) => publishedAt === null);
      // What is held back waits for somebody, and not for this command.
      const isHeldBack = open.length > 0 && open.every(({ suspicious }) => suspicious.length > 0);
      if (sweep.endedAt !== null || isHeldBack) return sweep;
      const held = saysHeld ? heldTexts(sweep) : [];
      if (held.length > 0) {
        progress.end();
        processSurroundings.stderr.write(`${held.join("\n")}\n${untilThen}`);
        saysHeld = false;
      }
      progress.update(progressText(sweep));
      if ((await Promise.race([stopped, pause(everyMs, "again")])) === "stopped") return null;
    }
  } finally {
    progress.end();
  }
}
