import type { Interval, WorkspaceResponse } from "@sightline/client";
import {
  type ComparedRange,
  type InstantRange,
  rangeBefore,
  rangeFrom,
  rangeYearAgo,
} from "@sightline/contract/compared-range";
import { rangeOfPeriod } from "@sightline/contract/periods";
import type { Dates, View } from "./view.ts";

/** Milliseconds of a UTC day. */
export const dayMs = 86_400_000;

/** A half-open range of UTC days, in ms since 1970. */
export type Range = InstantRange;

/** How many UTC days ago an instant was: 0 of today, and 1 of yesterday evening. */
export function daysSince(at: string, nowMs: number): number {
  return Math.floor(nowMs / dayMs) - Math.floor(Date.parse(at) / dayMs);
}

/** What the account's answers cover, as the workspace says. */
export type Covered = Pick<WorkspaceResponse["answers"], "first" | "last">;

/** The days of a period: of the calendar, or up to the newest answer. */
export function rangeOf(period: View["period"], covered: Covered, nowMs: number): Range {
  return typeof period === "string" ? rangeOfPeriod(period, covered, nowMs) : rangeOfDates(period);
}

/** The fewest whole weeks of which the service says a trend. */
export const trendWeeksMin = 5;

/** How many whole weeks (UTC, from Monday) lie inside a range. */
export function wholeWeeksIn({ fromMs, toMs }: Range): number {
  const weekMs = 7 * dayMs;
  const firstMondayMs = 4 * dayMs; // 1970-01-05
  const first = Math.ceil((fromMs - firstMondayMs) / weekMs);
  const last = Math.floor((toMs - firstMondayMs) / weekMs);
  return Math.max(0, last - first);
}

/** The days from the first to the last date, both inside. */
export function rangeOfDates({ first, last }: Dates): Range {
  return { fromMs: startOfDayOf(first), toMs: startOfDayOf(last) + dayMs };
}

/** The first and the last date of a range. */
export function datesOfRange({ fromMs, toMs }: Range): Dates {
  return { first: dateOf(fromMs), last: dateOf(toMs - 1) };
}

/** The range that a view is compared with, or why it cannot be; null: with none. */
export function comparedRange(compare: View["compare"], range: Range): ComparedRange | null {
  switch (compare) {
    case "none":
      return null;
    case "previous":
      return rangeBefore(range);
    case "year-ago":
      return rangeYearAgo(range);
    default:
      return rangeFrom(startOfDayOf(compare), range);
  }
}

/** The part of a bucket inside a range; a bucket begins at `startMs`. */
export function bucketRange(startMs: number, interval: Interval, within: Range): Range {
  const start = new Date(startMs);
  const nextMonth = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1);
  const endMs = { daily: startMs + dayMs, weekly: startMs + 7 * dayMs, monthly: nextMonth };
  return {
    fromMs: Math.max(startMs, within.fromMs),
    toMs: Math.min(endMs[interval], within.toMs),
  };
}

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const startOfDayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`);
