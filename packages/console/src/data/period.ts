import type { Interval, WorkspaceResponse } from "@sightline/client";
import {
  type ComparedRange,
  type InstantRange,
  rangeBefore,
  rangeFrom,
  rangeYearAgo,
} from "@sightline/contract/compared-range";
import type { Dates, PeriodName, View } from "./view.ts";

/** Milliseconds of a UTC day. */
export const dayMs = 86_400_000;

/** A half-open range of UTC days, in ms since 1970. */
export type Range = InstantRange;

/** How a period with a name is found; all begins with the first answer, which the account knows. */
type Named = { readonly days: number } | { readonly months: number; readonly ago: 0 | 1 };

const named: Readonly<Record<Exclude<PeriodName, "all">, Named>> = {
  "7d": { days: 7 },
  "28d": { days: 28 },
  "12w": { days: 84 },
  "26w": { days: 182 },
  "12m": { days: 365 },
  "this-month": { months: 1, ago: 0 },
  "last-month": { months: 1, ago: 1 },
  "this-quarter": { months: 3, ago: 0 },
  "last-quarter": { months: 3, ago: 1 },
  "this-year": { months: 12, ago: 0 },
  "last-year": { months: 12, ago: 1 },
};

/** The periods with a name. */
export const periodTexts: Readonly<Record<PeriodName, string>> = {
  "7d": "Last 7 days",
  "28d": "Last 28 days",
  "12w": "Last 12 weeks",
  "26w": "Last 26 weeks",
  "12m": "Last 365 days",
  "this-month": "This month",
  "last-month": "Last month",
  "this-quarter": "This quarter",
  "last-quarter": "Last quarter",
  "this-year": "This year",
  "last-year": "Last year",
  all: "All answers",
};

/** How many UTC days ago an instant was: 0 of today, and 1 of yesterday evening. */
export function daysSince(at: string, nowMs: number): number {
  return Math.floor(nowMs / dayMs) - Math.floor(Date.parse(at) / dayMs);
}

/** What the account's answers cover, as the workspace says. */
export type Covered = Pick<WorkspaceResponse["answers"], "first" | "last">;

/**
 * The days of a period. One of a number of days ends with the day of the newest answer, today at
 * the latest, so that an account which imports once a week is not shown as empty. One of the
 * calendar is whole, also the one that has not ended: it is compared with a whole one.
 */
export function rangeOf(period: View["period"], covered: Covered, nowMs: number): Range {
  if (typeof period !== "string") return rangeOfDates(period);
  const lastMs = Math.min(nowMs, covered.last === null ? nowMs : Date.parse(covered.last));
  const toMs = startOfDay(lastMs) + dayMs;
  if (period !== "all") {
    const its = named[period];
    return "days" in its ? { fromMs: toMs - its.days * dayMs, toMs } : calendarRange(its, nowMs);
  }
  const firstMs = covered.first === null ? lastMs : Date.parse(covered.first);
  return { fromMs: Math.min(startOfDay(firstMs), toMs - dayMs), toMs };
}

/** Months, quarters and years (UTC) begin where their months divide the year. */
function calendarRange({ months, ago }: Extract<Named, { months: number }>, nowMs: number): Range {
  const now = new Date(nowMs);
  const startOf = (back: number) => {
    const month = now.getUTCMonth();
    return Date.UTC(now.getUTCFullYear(), month - (month % months) - back * months);
  };
  return { fromMs: startOf(ago), toMs: startOf(ago - 1) };
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

/** Buckets that a chart of the range can show: days to seven weeks, weeks to fourteen months. */
export function intervalFor({ fromMs, toMs }: Range): Interval {
  const days = (toMs - fromMs) / dayMs;
  if (days <= 49) return "daily";
  return days <= 430 ? "weekly" : "monthly";
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
const startOfDay = (ms: number): number => Math.floor(ms / dayMs) * dayMs;
const startOfDayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`);
