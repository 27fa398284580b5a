import { Cron } from "croner";

/** When to ask: five parts of cron, in a time zone. */
export interface Cadence {
  readonly cron: string;
  readonly timeZone: string;
}

/** A cadence and the latest slot of it that is to be asked; milliseconds since 1970, UTC. */
export interface DueSlot {
  readonly cadence: Cadence;
  readonly slot: number;
}

/** By cadence key: slots up to here were planned. */
type PlannedTo = Readonly<Record<string, number>>;

/** The same for cadences that are one: prompts that have it are asked in one sweep. */
export function cadenceKey({ cron, timeZone }: Cadence): string {
  return `${cron.trim().split(/\s+/).join(" ")} ${timeZone}`;
}

/**
 * The newest slot of each cadence that was missed since it was planned: of many that a service
 * missed, asking one is enough. A cadence that was never planned begins now.
 */
export function dueSlots(
  cadences: readonly Cadence[],
  plannedTo: PlannedTo,
  now: number,
): readonly DueSlot[] {
  return distinct(cadences).flatMap(([key, cadence]) => {
    const planned = plannedTo[key];
    if (planned === undefined) return [];
    // `now` itself is a slot that has come.
    const slot = cronOf(cadence)
      .previousRuns(1, new Date(now + 1))[0]
      ?.getTime();
    return slot === undefined || slot <= planned ? [] : [{ cadence, slot }];
  });
}

/** What is noted once the slots that are due now are planned: nothing of cadences that are gone. */
export function plannedAt(cadences: readonly Cadence[], now: number): PlannedTo {
  return Object.fromEntries(distinct(cadences).map(([key]) => [key, now]));
}

/** When the next slot comes, after `now`; null: no cadence comes again. */
export function nextSlotAt(cadences: readonly Cadence[], now: number): number | null {
  const next = distinct(cadences).flatMap(([, cadence]) => {
    const slot = cronOf(cadence).nextRun(new Date(now));
    return slot === null ? [] : [slot.getTime()];
  });
  return next.length === 0 ? null : Math.min(...next);
}

function distinct(cadences: readonly Cadence[]): readonly (readonly [string, Cadence])[] {
  return [...new Map(cadences.map((cadence) => [cadenceKey(cadence), cadence]))];
}

/**
 * A time that the clocks skip in spring is the first one after the gap; one that comes twice in
 * autumn is the first of the two.
 */
function cronOf({ cron, timeZone }: Cadence): Cron {
  return new Cron(cron.trim(), { mode: "5-part", timezone: timeZone, paused: true });
}
