import type { Interval } from "@sightline/contract";

/** The buckets of a time series: each UTC day, ISO week or calendar month that meets the range. */
export interface Buckets {
  readonly interval: Interval;
  /** Milliseconds since 1970, of each bucket's start, in order; the first may lie before `from`. */
  readonly startsMs: readonly number[];
}

/** Milliseconds of a UTC day: there are no leap seconds in this count. */
export const dayMs = 86_400_000;

/** The UTC day of an instant, counted from 1970-01-01 (negative before it). */
export function dayOf(instantMs: number): number {
  return Math.floor(instantMs / dayMs);
}

/** The UTC calendar month of an instant, counted from January of the year 0. */
export function monthOf(instantMs: number): number {
  const date = new Date(instantMs);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** The ISO week of a day, counted from that of 1970-01-01, which was a Thursday. */
export function weekOf(day: number): number {
  return Math.floor((day + 3) / 7);
}

/** The Monday of a week, as a day counted from 1970-01-01. */
export function mondayOf(week: number): number {
  return week * 7 - 3;
}

/** The bucket of an instant: a day, a week or a month, counted as above. */
export function bucketOf(interval: Interval, instantMs: number): number {
  switch (interval) {
    case "daily":
      return dayOf(instantMs);
    case "weekly":
      return weekOf(dayOf(instantMs));
    case "monthly":
      return monthOf(instantMs);
  }
}

/** How many buckets meet [fromMs, toMs); toMs is after fromMs. Cheap for any range. */
export function countBuckets(interval: Interval, fromMs: number, toMs: number): number {
  const lastMs = toMs - 1;
  switch (interval) {
    case "daily":
      return dayOf(lastMs) - dayOf(fromMs) + 1;
    case "weekly":
      return weekOf(dayOf(lastMs)) - weekOf(dayOf(fromMs)) + 1;
    case "monthly":
      return monthOf(lastMs) - monthOf(fromMs) + 1;
  }
}

/** Every bucket that meets [fromMs, toMs), in order. */
export function bucketsOf(interval: Interval, fromMs: number, toMs: number): Buckets {
  const count = countBuckets(interval, fromMs, toMs);
  const startsMs = Array.from({ length: count }, (_, index) => startOf(interval, fromMs, index));
  return { interval, startsMs };
}

/** A bucket of a question: how long it is, and how much of it can have answers. */
export interface BucketDays {
  /** Inside the range and up to the last answer's day; a part of a day where the range cuts it. */
  readonly covered: number;
  /** Of the whole bucket. */
  readonly days: number;
}

/**
 * The days of each bucket of [fromMs, toMs) in an account whose last answer was given at lastMs;
 * null: it has none. The day of the last answer is covered to its end, as where a period ends with
 * it: answers of a day come together, and one at 08:00 does not make the day a third.
 */
export function bucketDays(
  { interval, startsMs }: Buckets,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  lastMs: number | null,
): readonly BucketDays[] {
  const answeredMs = lastMs === null ? fromMs : (dayOf(lastMs) + 1) * dayMs;
  return startsMs.map((startMs) => {
    const endMs = startOf(interval, startMs, 1);
    const coveredMs = Math.min(endMs, toMs, answeredMs) - Math.max(startMs, fromMs);
    return { covered: Math.max(0, coveredMs) / dayMs, days: (endMs - startMs) / dayMs };
  });
}

function startOf(interval: Interval, fromMs: number, index: number): number {
  switch (interval) {
    case "daily":
      return (dayOf(fromMs) + index) * dayMs;
    case "weekly":
      return mondayOf(weekOf(dayOf(fromMs)) + index) * dayMs;
    case "monthly":
      return monthStart(monthOf(fromMs) + index);
  }
}

function monthStart(month: number): number {
  const start = new Date(0);
  start.setUTCFullYear(Math.floor(month / 12), month % 12, 1); // Date.UTC reads 33 as 1933
  return start.getTime();
}
