const dayMs = 86_400_000;
const startMs = Date.UTC(2025, 10, 1);

/** How many days the demo's year has: 2025-11-01 to 2026-10-31, both included. */
export const daysTotal = 365;

/** The place of a calendar date (`2026-04-07`) in the demo's year; 0 is 2025-11-01. */
export function dayOf(date: string): number {
  return Math.round((Date.parse(`${date}T00:00:00Z`) - startMs) / dayMs);
}

/** The instant a number of seconds into a day, in RFC 3339 with `Z` and whole seconds. */
export function instantOf(day: number, seconds: number): string {
  return `${new Date(startMs + day * dayMs + seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** True on Saturdays and Sundays (UTC). */
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
