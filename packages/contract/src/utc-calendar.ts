/** Milliseconds of a UTC day. */
export const dayMs = 86_400_000;

/** The start of a UTC day; a month or day beyond its end continues in the next one. */
export function startOfDay(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day); // Date.UTC would read the year 33 as 1933
}

/** The start of the UTC day, week (from Monday), month and year of an instant. */
export function startsAround(instantMs: number) {
  const date = new Date(instantMs);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const day = startOfDay(year, month, date.getUTCDate());
  return {
    day,
    week: day - ((date.getUTCDay() + 6) % 7) * dayMs,
    month: startOfDay(year, month, 1),
    year: startOfDay(year, 0, 1),
  };
}

/** The start of the month this many months after that of an instant. */
export function startOfMonth(instantMs: number, monthsLater: number): number {
  const date = new Date(instantMs);
  return startOfDay(date.getUTCFullYear(), date.getUTCMonth() + monthsLater, 1);
}

/** The Monday on which an ISO week of a year begins; null when the year has no such week. */
export function startOfIsoWeek(year: number, week: number): number | null {
  // The week with 4 January is the first (ISO 8601).
  const first = startsAround(startOfDay(year, 0, 4)).week;
  const start = first + (week - 1) * 7 * dayMs;
  const isOfYear = new Date(start + 3 * dayMs).getUTCFullYear() === year;
  return week >= 1 && isOfYear ? start : null;
}
