import type { AnalyticsFilters, Interval, WorkspaceResponse } from "@sightline/client";
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

/** The days of each period; all begins with the first answer, which only the account knows. */
const daysOf: Readonly<Record<Exclude<PeriodName, "all">, number>> = {
  "7d": 7,
  "28d": 28,
  "12w": 84,
  "26w": 182,
  "12m": 365,
};

/** The periods with a name. */
export const periodTexts: Readonly<Record<PeriodName, string>> = {
  "7d": "Last 7 days",
  "28d": "Last 28 days",
  "12w": "Last 12 weeks",
  "26w": "Last 26 weeks",
  "12m": "Last 365 days",
  all: "All answers",
};

/** How many UTC days ago an instant was: 0 of today, and 1 of yesterday evening. */
export function daysSince(at: string, nowMs: number): number {
  return Math.floor(nowMs / dayMs) - Math.floor(Date.parse(at) / dayMs);
}

/** What the account's answers cover, as the workspace says. */
export type Covered = Pick<WorkspaceResponse["answers"], "first" | "last">;

/**
 * The days of a period. One with a name ends with the day of the newest answer, today at the
 * latest, so that an account which imports once a week is not shown as empty.
 */
export function rangeOf(period: View["period"], covered: Covered, nowMs: number): Range {
  if (typeof period !== "string") return rangeOfDates(period);
  const lastMs = Math.min(nowMs, covered.last === null ? nowMs : Date.parse(covered.last));
  const toMs = startOfDay(lastMs) + dayMs;
  if (period !== "all") return { fromMs: toMs - daysOf[period] * dayMs, toMs };
  const firstMs = covered.first === null ? lastMs : Date.parse(covered.first);
  return { fromMs: Math.min(startOfDay(firstMs), toMs - dayMs), toMs };
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

/** The filters of a view over a range, as the service takes them. */
export function filtersOf(view: View, { fromMs, toMs }: Range): AnalyticsFilters {
  const { providers, topics, prompts, regions, branded } = view;
  return {
    timeRange: { from: instantText(fromMs), to: instantText(toMs) },
    ...(providers.length > 0 ? { providers } : {}),
    ...(topics.length > 0 ? { topics: topics.map((id) => ({ id })) } : {}),
    ...(prompts.length > 0 ? { promptIds: prompts } : {}),
    ...(regions.length > 0 ? { regions: regions.map((code) => ({ code })) } : {}),
    ...(branded === null ? {} : { branded }),
  };
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

const instantText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const startOfDay = (ms: number): number => Math.floor(ms / dayMs) * dayMs;
const startOfDayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`);
