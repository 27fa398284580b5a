import { dayMs, type HookEvent, startsAround } from "@sightline/contract";

/** Answers of a day may still arrive during the night: a day is checked from this hour on, UTC. */
const checkAfterMidnightMs = 6 * 3_600_000;
const daysCompared = 7;

/** Seven days and the seven days before them; instants in milliseconds since 1970, UTC. */
export interface ComparedDays {
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  readonly beforeMs: number;
}

/**
 * When a webhook with these events is checked next, after `now`: daily at 06:00 UTC for `moved`
 * and thresholds, else on Mondays. In milliseconds since 1970.
 */
export function nextCheck(events: readonly HookEvent[], now: number): number {
  const { day, week } = startsAround(now);
  const isDaily = events.includes("moved") || events.includes("threshold-crossed");
  const [start, step] = isDaily ? [day, dayMs] : [week, 7 * dayMs];
  const check = start + checkAfterMidnightMs;
  return check > now ? check : check + step;
}

/** The latest whole ISO week whose digest is due at `now`, and the week before it. */
export function lastWeek(now: number): ComparedDays {
  return daysBefore(startsAround(now - checkAfterMidnightMs).week);
}

/** The latest seven whole days that are checked at `now`, and the seven before them. */
export function lastDays(now: number): ComparedDays {
  return daysBefore(startsAround(now - checkAfterMidnightMs).day);
}

/** The earliest instant at which these days are checked; in milliseconds since 1970. */
export function checkTimeOf({ toMs }: ComparedDays): number {
  return toMs + checkAfterMidnightMs;
}

function daysBefore(toMs: number): ComparedDays {
  const length = daysCompared * dayMs;
  return { fromMs: toMs - length, toMs, beforeMs: toMs - 2 * length };
}
