const dayMs = 86_400_000;
const startMs = Date.UTC(2025, 10, 1);

/** How many days the demo's year has. */
export const daysTotal = 365;

/**
 * The last day of the year as the story below is dated, which begins on 2025-11-01. The answers'
 * year may end on any other day: the story goes along with it, weekends included.
 */
export const storyLastDay = "2026-10-31";

/** The place of a calendar date (`2026-04-07`) in the demo's year; 0 is 2025-11-01. */
export function dayOf(date: string): number {
  return Math.round((Date.parse(`${date}T00:00:00Z`) - startMs) / dayMs);
}

/** The first day of a year that ends with `lastDay`; both are dates such as `2026-04-07`. */
export function firstDayOf(lastDay: string): string {
  return shifted(lastDay, 1 - daysTotal);
}

/** The last day of a year that begins with the day of an instant, given in ms since 1970. */
export function lastDayOf(firstInstantMs: number): string {
  return shifted(dateOf(firstInstantMs), daysTotal - 1);
}

/** The day before that of an instant: the last one that is over. */
export function dayBefore(instantMs: number): string {
  return shifted(dateOf(instantMs), -1);
}

function shifted(date: string, days: number): string {
  return dateOf(Date.parse(`${date}T00:00:00Z`) + days * dayMs);
}

function dateOf(instantMs: number): string {
  return new Date(instantMs).toISOString().slice(0, 10);
}

/** The instant a number of seconds into a day of a year, in RFC 3339 with `Z` and whole seconds. */
export function instantOf(firstDay: string, day: number, seconds: number): string {
  const start = Date.parse(`${firstDay}T00:00:00Z`);
  return `${new Date(start + day * dayMs + seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** True on Saturdays and Sundays (UTC) of the story. */
export function isWeekend(day: number): boolean {
  const weekday = new Date(startMs + day * dayMs).getUTCDay();
  return weekday === 0 || weekday === 6;
}

/** The brand's launch: the Skerry 2 tent goes on sale. */
export const launchDay = dayOf("2026-04-07");

/** The topic that the launch belongs to. */
export const launchTopic = "Tents";

/** The provider that could not be asked for some days, and those days: `[from, to)`. */
export const outage = {
  provider: "COPILOT",
  from: dayOf("2026-06-16"),
  to: dayOf("2026-06-20"),
} as const;
