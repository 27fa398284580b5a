import type { InsightsSummaryQuestion } from "@sightline/client";
import {
  type ComparedRange,
  type InstantRange,
  rangeBefore,
  rangeFrom,
  rangeYearAgo,
} from "@sightline/contract";
import { CommandError } from "../result.ts";
import type { Chosen } from "./filters.ts";
import type { ComparisonOptions } from "./question-options.ts";
import type { TimeRange } from "./time-range.ts";
import { instantOfOption } from "./time-word.ts";

type Comparison = Pick<InsightsSummaryQuestion, "compare" | "threshold" | "rankThreshold">;

/** The ranges that words name; any other text is a time in the compared range. */
const words: Readonly<Record<string, (range: InstantRange) => ComparedRange>> = {
  previous: rangeBefore,
  "year-ago": rangeYearAgo,
};

/** What a question is compared with, as options say it. */
export interface AskedComparison {
  /** Null: nothing is compared. */
  readonly compared: TimeRange | null;
  /** The fields of the request: the other side has what is chosen, but for its range. */
  readonly fieldsFor: (chosen: Chosen) => Partial<Comparison>;
}

/** The comparison that options ask for. @throws CommandError when they contradict each other. */
export function comparisonOf(
  { compare, threshold, rankThreshold, parts }: ComparisonOptions,
  timeRange: TimeRange,
  nowMs: number,
): AskedComparison {
  const compared = comparedRange(compare, timeRange, nowMs);
  const given = { "--threshold": threshold, "--rank-threshold": rankThreshold, "--parts": parts };
  for (const [option, value] of Object.entries(given)) {
    if (compared !== null || value === undefined) continue;
    throw new CommandError(`${option}: needs --compare, since it is about changes.`, 2);
  }
  const least = {
    ...(threshold === undefined ? {} : { threshold }),
    ...(rankThreshold === undefined ? {} : { rankThreshold }),
  };
  return {
    compared,
    fieldsFor: ({ filters, exclude }) =>
      compared === null
        ? {}
        : { compare: { filters: { ...filters, timeRange: compared }, exclude }, ...least },
  };
}

/**
 * The range of `--compare`; null when nothing is compared.
 * @throws CommandError when it is not a time, or the range would overlap the other one.
 */
export function comparedRange(
  given: string | undefined,
  { from, to }: TimeRange,
  nowMs: number,
): TimeRange | null {
  if (given === undefined) return null;
  const range = { fromMs: Date.parse(from), toMs: Date.parse(to) };
  const word = given.toLowerCase();
  const named = Object.hasOwn(words, word) ? words[word] : undefined;
  const compared = named?.(range) ?? rangeFrom(instantOfOption("--compare", given, nowMs), range);
  if ("refused" in compared) throw new CommandError(`--compare: ${compared.refused}`, 2);
  const [start = "", end = ""] = [compared.fromMs, compared.toMs].map((ms) =>
    new Date(ms).toISOString(),
  );
  return { from: start, to: end };
}
