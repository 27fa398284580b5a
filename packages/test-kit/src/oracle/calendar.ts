import type { Interval } from "./model.ts";

/** The most buckets that are given (semantics, Time). */
export const bucketsMax = 4_000;

/** The first instant of an instant's UTC day. */
export function startOfDay(ms: number): number {
  return new Date(ms).setUTCHours(0, 0, 0, 0);
}

/** The first instant of the bucket that an instant lies in: back from its day, day by day. */
export function startOfBucket(ms: number, interval: Interval): number {
  const day = new Date(startOfDay(ms));
  while (!beginsBucket(day, interval)) day.setUTCDate(day.getUTCDate() - 1);
  return day.getTime();
}

/** The starts of all buckets that meet [fromMs, toMs); stops when they are too many. */
export function bucketsOf(fromMs: number, toMs: number, interval: Interval): readonly number[] {
  const starts: number[] = [];
  const day = new Date(startOfBucket(fromMs, interval));
  while (day.getTime() < toMs && starts.length <= bucketsMax) {
    if (beginsBucket(day, interval)) starts.push(day.getTime());
    day.setUTCDate(day.getUTCDate() + 1);
  }
  return starts;
}

/**
 * The days of the bucket that starts then, and how many of them are asked for and begin before the
 * last answer or with it: day by day, a part of those that the range cuts.
 */
export function daysOfBucket(
  start: number,
  interval: Interval,
  { fromMs, toMs, lastMs }: { fromMs: number; toMs: number; lastMs: number },
): { readonly covered: number; readonly days: number } {
  const day = new Date(start);
  let [covered, days] = [0, 0];
  while (days === 0 || !beginsBucket(day, interval)) {
    const begin = day.getTime();
    day.setUTCDate(day.getUTCDate() + 1);
    const asked = Math.min(day.getTime(), toMs) - Math.max(begin, fromMs);
    if (begin <= lastMs && asked > 0) covered += asked / 86_400_000;
    days += 1;
  }
  return { covered, days };
}

function beginsBucket(day: Date, interval: Interval): boolean {
  if (interval === "monthly") return day.getUTCDate() === 1;
  return interval === "daily" || day.getUTCDay() === 1;
}
