import type { InstantRange } from "./compared-range.ts";
import type { PeriodName } from "./period-names.ts";
import { dayMs } from "./utc-calendar.ts";

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

/** When an account's first and last answer were given (RFC 3339); null: there is none. */
export interface CoveredTime {
  readonly first: string | null;
  readonly last: string | null;
}

/**
 * The days of a period. One of a number of days ends with the day of the newest answer, today at
 * the latest, so that an account which imports once a week is not shown as empty. One of the
 * calendar is whole, also the one that has not ended: it is compared with a whole one.
 */
export function rangeOfPeriod(
  period: PeriodName,
  { first, last }: CoveredTime,
  nowMs: number,
): InstantRange {
  const endMs = Math.min(nowMs, last === null ? nowMs : Date.parse(last));
  const toMs = startOfDay(endMs) + dayMs;
  if (period !== "all") {
    const its = named[period];
    return "days" in its ? { fromMs: toMs - its.days * dayMs, toMs } : calendarRange(its, nowMs);
  }
  const firstMs = first === null ? endMs : Date.parse(first);
  return { fromMs: Math.min(startOfDay(firstMs), toMs - dayMs), toMs };
}

/** Months, quarters and years (UTC) begin where their months divide the year. */
function calendarRange(
  { months, ago }: Extract<Named, { months: number }>,
  nowMs: number,
): InstantRange {
  const now = new Date(nowMs);
  const startOf = (back: number) => {
    const month = now.getUTCMonth();
    return Date.UTC(now.getUTCFullYear(), month - (month % months) - back * months);
  };
  return { fromMs: startOf(ago), toMs: startOf(ago - 1) };
}

/** Buckets that a chart of the range can show: days to seven weeks, weeks to fourteen months. */
export function intervalFor({ fromMs, toMs }: InstantRange): "daily" | "weekly" | "monthly" {
  const days = (toMs - fromMs) / dayMs;
  if (days <= 49) return "daily";
  return days <= 430 ? "weekly" : "monthly";
}

function startOfDay(ms: number): number {
  return Math.floor(ms / dayMs) * dayMs;
}
