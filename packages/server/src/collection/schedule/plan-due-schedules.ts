import type { NewSweep } from "../../control/collection-store.ts";
import type { Control } from "../../control/control.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Prices } from "../prices/prices.ts";
import { dueSlots, nextLook, plannedAt } from "./cadence.ts";
import { cadencesOf } from "./effective-asks.ts";
import { scheduledSweep, sweepWithinMs } from "./plan-sweep.ts";
import { reserveBy } from "./reserve-of.ts";

/** What schedules are planned with. */
export interface PlanTools {
  readonly control: Control;
  readonly prices: Prices;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The most jobs of a sweep: more are a mistake in the workspace, and fill control. */
export const sweepJobsMax = 200_000;
/** Longer than planning a large workspace takes; a worker that dies leaves it to the next one. */
const claimMs = 5 * 60_000;
const accountsMax = 20;

/** Plans the sweeps whose slot has come. @returns how many. */
export async function planDueSchedules(tools: PlanTools, signal: AbortSignal): Promise<number> {
  const { control, clock, logger } = tools;
  let planned = 0;
  for (const due of await control.schedulesDue(accountsMax)) {
    if (signal.aborted) break;
    const claimed = await control.claimSchedule(due, clock.now() + claimMs);
    if (claimed === null) continue;
    const { accountId, plannedTo } = claimed;
    const workspace = await control.workspace(accountId);
    const now = clock.now();
    const cadences = workspace === null ? [] : cadencesOf(workspace);
    for (const slot of dueSlots(cadences, plannedTo, now)) {
      if (workspace === null) break;
      // Of a slot that was missed: as long as if it came now.
      const withinMs = now - slot.slot + sweepWithinMs;
      const make = () =>
        scheduledSweep(workspace, slot, { reserveOf: reserveBy(tools.prices), withinMs });
      if (await addWithinBound(control, { accountId, make })) planned++;
      else logger.error({ accountId, jobsMax: sweepJobsMax }, "a sweep has too many jobs");
    }
    const noted = { plannedTo: plannedAt(cadences, now), nextAt: nextLook(cadences, now) };
    await control.noteScheduled(claimed, noted);
  }
  return planned;
}

interface SweepToAdd {
  readonly accountId: string;
  /** Makes the same sweep each time; its jobs can be read once. */
  readonly make: () => NewSweep;
}

/** Adds a sweep. @returns false: it has too many jobs. */
export async function addWithinBound(
  control: Pick<Control, "addSweep">,
  { accountId, make }: SweepToAdd,
): Promise<boolean> {
  let jobs = 0;
  for (const _job of make().jobs) if (++jobs > sweepJobsMax) return false;
  if (jobs > 0) await control.addSweep(accountId, make());
  return true;
}
