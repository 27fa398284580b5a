import { dayMs, type HookEvent, startsAround } from "@sightline/contract";

/** Answers of a day may come in during the night: whole days are looked at from this hour, UTC. */
const checkAfterMidnightMs = 6 * 3_600_000;
const daysCompared = 7;

/** Days of seven, and the seven before, in milliseconds since 1970. */
export interface ComparedDays {
  readonly fromMs: number;
  /** Not included. */
  readonly toMs: number;
  readonly beforeMs: number;
}

/** The next instant after `now` at which events of these kinds may be made. */
export function nextCheck(events: readonly HookEvent[], now: number): number {
  const { day, week } = startsAround(now);
  const [start, step] = events.includes("moved") ? [day, dayMs] : [week, 7 * dayMs];
  const check = start + checkAfterMidnightMs;
  return check > now ? check : check + step;
}

/** The last whole ISO week whose digest is due at `now`. */
export function lastWeek(now: number): ComparedDays {
  return daysBefore(startsAround(now - checkAfterMidnightMs).week);
}

/** The last seven whole days that are looked at, at `now`. */
export function lastDays(now: number): ComparedDays {
  return daysBefore(startsAround(now - checkAfterMidnightMs).day);
}

/** When days are looked at: not before, as their answers may be on their way. */
export function checkTimeOf({ toMs }: ComparedDays): number {
  return toMs + checkAfterMidnightMs;
}

function daysBefore(toMs: number): ComparedDays {
  const length = daysCompared * dayMs;
  return { fromMs: toMs - length, toMs, beforeMs: toMs - 2 * length };
}
