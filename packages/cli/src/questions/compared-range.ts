import type { AnalyticsFilters, InsightsSummaryQuestion } from "@sightline/client";
import { CommandError } from "../result.ts";
import type { ComparisonOptions } from "./question-options.ts";
import type { TimeRange } from "./time-range.ts";
import { instantOfOption } from "./time-word.ts";

type Comparison = Pick<InsightsSummaryQuestion, "compare" | "threshold">;

/** The word for the range just before. */
const previous = "previous";

/** What a question is compared with, as options say it. */
export interface AskedComparison {
  /** Null: nothing is compared. */
  readonly compared: TimeRange | null;
  /** The fields of the request, for some filters. */
  readonly fieldsFor: (filters: AnalyticsFilters) => Partial<Comparison>;
}

/** The comparison that options ask for. @throws CommandError when they contradict each other. */
export function comparisonOf(
  { compare, threshold }: ComparisonOptions,
  timeRange: TimeRange,
  nowMs: number,
): AskedComparison {
  const compared = comparedRange(compare, timeRange, nowMs);
  if (compared === null && threshold !== undefined) {
    throw new CommandError("--threshold: needs --compare, since it is about changes.", 2);
  }
  const least = threshold === undefined ? {} : { threshold };
  return {
    compared,
    fieldsFor: (filters) =>
      compared === null
        ? {}
        : { compare: { filters: { ...filters, timeRange: compared } }, ...least },
  };
}

/**
 * The range of `--compare`, as long as the other one: just before it, or from a time on; null when
 * nothing is compared. @throws CommandError when it is not a time, or the same range.
 */
export function comparedRange(
  given: string | undefined,
  { from, to }: TimeRange,
  nowMs: number,
): TimeRange | null {
  if (given === undefined) return null;
  const startMs = Date.parse(from);
  const lengthMs = Date.parse(to) - startMs;
  const isPrevious = given.toLowerCase() === previous;
  const fromMs = isPrevious ? startMs - lengthMs : instantOfOption("--compare", given, nowMs);
  if (fromMs === startMs) {
    throw new CommandError("--compare: the range would be compared with itself.", 2);
  }
  const [start, end] = [fromMs, fromMs + lengthMs].map((ms) => new Date(ms).toISOString());
  return { from: start ?? from, to: end ?? to };
}
