import {
  type DeclaredReport,
  dayMs,
  type InstantRange,
  rangeBefore,
  rangeYearAgo,
  startOfMonth,
  startsAround,
} from "@sightline/contract";
import type { ReportDates } from "./asked-report.ts";

/** What a report is compared with, or why it cannot be. */
export type ComparedDates = ReportDates | null | { readonly refused: string };

/** The days that a report's rule gives on the UTC day with an instant: whole ones before it. */
export function periodOf(rule: string, atMs: number): ReportDates {
  const { day, week } = startsAround(atMs);
  switch (rule) {
    case "last-week":
      return datesOf({ fromMs: week - 7 * dayMs, toMs: week });
    case "last-month":
      return datesOf({ fromMs: startOfMonth(atMs, -1), toMs: startOfMonth(atMs, 0) });
    case "last-quarter": {
      const monthsIn = new Date(atMs).getUTCMonth() % 3;
      const toMs = startOfMonth(atMs, -monthsIn);
      return datesOf({ fromMs: startOfMonth(toMs, -3), toMs });
    }
    default: {
      const days = Number(/^last-(\d+)-days$/.exec(rule)?.[1]);
      return datesOf({ fromMs: day - days * dayMs, toMs: day });
    }
  }
}

/** The days that a period is compared with. */
export function comparedOf(
  compare: DeclaredReport["compare"] = "previous",
  period: ReportDates,
): ComparedDates {
  if (compare === "none") return null;
  const range = rangeOf(period);
  const compared = compare === "year" ? rangeYearAgo(range) : rangeBefore(range);
  return "refused" in compared ? compared : datesOf(compared);
}

function rangeOf({ startDate, endDate }: ReportDates): InstantRange {
  return { fromMs: Date.parse(startDate), toMs: Date.parse(endDate) + dayMs };
}

/** The number of days of a period. */
export function daysOf(period: ReportDates): number {
  const { fromMs, toMs } = rangeOf(period);
  return (toMs - fromMs) / dayMs;
}

function datesOf({ fromMs, toMs }: InstantRange): ReportDates {
  const [startDate, endDate] = [fromMs, toMs - dayMs].map((ms) => new Date(ms).toISOString());
  return { startDate: startDate?.slice(0, 10) ?? "", endDate: endDate?.slice(0, 10) ?? "" };
}
