import type { Vendor } from "@sightline/contract";
import type { Workspace } from "../../accounts/workspace.ts";
import type { Control } from "../../control/control.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Prices } from "../prices/prices.ts";
import type { NewSweep } from "../store/collection-store.ts";
import { claimSchedule, noteScheduled, schedulesDue } from "../store/schedule-store.ts";
import { type DueSlot, dueSlots, nextLook, plannedAt } from "./cadence.ts";
import { cadencesOf } from "./effective-asks.ts";
import { askedParts, scheduledSweep, scheduledSweepId, sweepWithinMs } from "./plan-sweep.ts";
import { reserveBy } from "./reserve-of.ts";
import { vendorChoice } from "./vendor-choice.ts";
import { vendorStandings } from "./vendor-standings.ts";

/** What schedules are planned with. */
export interface PlanTools {
  readonly control: Control;
  readonly prices: Prices;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Those that this process asks itself; those of others are found in control. */
  readonly vendors: readonly Vendor[];
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
  for (const due of await schedulesDue(control, clock.now(), accountsMax)) {
    if (signal.aborted) break;
    const claimed = await claimSchedule(control, due, clock.now() + claimMs);
    if (claimed === null) continue;
    const { accountId, plannedTo } = claimed;
    const workspace = await control.workspace(accountId);
    const now = clock.now();
    const cadences = workspace === null ? [] : cadencesOf(workspace);
    for (const slot of dueSlots(cadences, plannedTo, now)) {
      if (workspace === null) break;
      if (await planSlot(tools, workspace, slot)) planned++;
      else logger.error({ accountId, jobsMax: sweepJobsMax }, "a sweep has too many jobs");
    }
    const noted = { plannedTo: plannedAt(cadences, now), nextAt: nextLook(cadences, now) };
    await noteScheduled(control, claimed, noted);
  }
  return planned;
}

/** @returns false: it has too many jobs. */
async function planSlot(tools: PlanTools, workspace: Workspace, due: DueSlot): Promise<boolean> {
  const { control, clock, prices, logger } = tools;
  const { accountId } = workspace;
  // Who planned a part of it and died chose the vendors, and may have had others asked already.
  const before = await control.sweep(accountId, scheduledSweepId(accountId, due));
  const { chosen, skipped } = vendorChoice(workspace, {
    standingOf: await vendorStandings(tools),
    parts: before?.parts ?? [],
  });
  // Of a slot that was missed: as long as if it came now.
  const withinMs = clock.now() - due.slot + sweepWithinMs;
  const made = { reserveOf: reserveBy(prices, clock.now()), chosen, withinMs };
  const make = () => scheduledSweep(workspace, due, made);
  if (!(await addWithinBound(control, { accountId, make }))) return false;
  for (const ask of askedParts(workspace, { cadence: due.cadence }, chosen)) {
    for (const each of skipped(ask)) {
      logger.warn({ accountId, slot: due.slot, asked: ask.vendor, ...each }, "a vendor is skipped");
    }
  }
  return true;
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
