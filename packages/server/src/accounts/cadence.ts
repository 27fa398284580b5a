import { quoted } from "@sightline/contract";
import { Cron, CronPattern } from "croner";

/** A schedule: a cron expression of five fields, in a time zone. */
export interface Cadence {
  readonly cron: string;
  readonly timeZone: string;
}

/** A cadence and its latest slot that is due; milliseconds since 1970, UTC. */
export interface DueSlot {
  readonly cadence: Cadence;
  readonly slot: number;
}

/** Cadence key → slots up to here have been planned. */
type PlannedTo = Readonly<Record<string, number>>;

/** Identifies a cadence: prompts with equal keys are asked in one sweep. */
export function cadenceKey({ cron, timeZone }: Cadence): string {
  return `${cron.trim().split(/\s+/).join(" ")} ${timeZone}`;
}

/**
 * The latest slot of each cadence since it was last planned: of several missed slots only the
 * latest is asked. A cadence that was never planned has no due slot yet.
 */
export function dueSlots(
  cadences: readonly Cadence[],
  plannedTo: PlannedTo,
  now: number,
): readonly DueSlot[] {
  return distinct(cadences).flatMap(([key, cadence]) => {
    const planned = plannedTo[key];
    if (planned === undefined) return [];
    // A slot at `now` is due.
    const slot = cronOf(cadence)
      .previousRuns(1, new Date(now + 1))[0]
      ?.getTime();
    return slot === undefined || slot <= planned ? [] : [{ cadence, slot }];
  });
}

/**
 * The planned times after planning the slots that are due at `now`; removed cadences are dropped.
 */
export function plannedAt(cadences: readonly Cadence[], now: number): PlannedTo {
  return Object.fromEntries(distinct(cadences).map(([key]) => [key, now]));
}

/** The next slot after `now`, in milliseconds since 1970; null: there is none. */
export function nextSlotAt(cadences: readonly Cadence[], now: number): number | null {
  const next = distinct(cadences).flatMap(([, cadence]) => {
    const slot = cronOf(cadence).nextRun(new Date(now));
    return slot === null ? [] : [slot.getTime()];
  });
  return next.length === 0 ? null : Math.min(...next);
}

/** Why a cron expression is none, as croner says it; null: it is one. */
export function cronFault(cron: string): string | null {
  try {
    // A pattern first: `Cron` would also take a date.
    new CronPattern(cron.trim(), "UTC", { mode: "5-part" });
    const next = new Cron(cron.trim(), { mode: "5-part", timezone: "UTC", paused: true }).nextRun();
    return next === null ? `never comes: ${quoted(cron)}.` : null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `must be a cron expression of five parts. ${reason.replace(/^CronPattern: /, "")}`;
  }
}

function distinct(cadences: readonly Cadence[]): readonly (readonly [string, Cadence])[] {
  return [...new Map(cadences.map((cadence) => [cadenceKey(cadence), cadence]))];
}

/**
 * A time that the clocks skip in spring becomes the first one after the gap; of one that occurs
 * twice in autumn, the first counts.
 */
function cronOf({ cron, timeZone }: Cadence): Cron {
  return new Cron(cron.trim(), { mode: "5-part", timezone: timeZone, paused: true });
}
