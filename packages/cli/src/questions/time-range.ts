import { dayMs, type Interval, instantOf } from "@sightline/contract";
import { CommandError } from "../result.ts";
import { instantOfOption, startOfNextDay } from "./time-word.ts";

/** The default range in days. */
export const daysUnlessSaid = 30;
/** The longest range, in days, that is daily, and weekly, by default. */
export const daysByInterval = { daily: 92, weekly: 731 } as const;

/** A half-open range of instants, as the service takes it. */
export interface TimeRange {
  readonly from: string;
  readonly to: string;
}

/** The options of a range. */
export interface TimeOptions {
  readonly from?: string;
  readonly to?: string;
}

/**
 * The range of `--from` (inclusive) and `--to` (exclusive). Without `--to` it ends with today's UTC
 * day; without `--from` it begins 30 days before its end.
 * @throws CommandError when one is not a time, or the range is empty.
 */
export function timeRangeOf({ from, to }: TimeOptions, nowMs: number): TimeRange {
  const toMs = to === undefined ? startOfNextDay(nowMs) : instantOfOption("--to", to, nowMs);
  const fromMs =
    from === undefined ? toMs - daysUnlessSaid * dayMs : instantOfOption("--from", from, nowMs);
  const range = { from: textOf("--from", fromMs), to: textOf("--to", toMs) };
  if (fromMs < toMs) return range;
  throw new CommandError(
    `--from ${range.from} must be before --to ${range.to}, which is exclusive. ` +
      "For all of last month, use --from last-month --to this-month.",
    2,
  );
}

/** The default interval of a range: days, then weeks, then months as it grows. */
export function intervalOf({ from, to }: TimeRange): Interval {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs;
  if (days <= daysByInterval.daily) return "daily";
  return days <= daysByInterval.weekly ? "weekly" : "monthly";
}

// Years before 1 and after 9999 result from spans like 99999w; the service rejects them.
function textOf(option: string, instantMs: number): string {
  const text = new Date(instantMs).toISOString();
  if (instantOf(text) !== null) return text;
  throw new CommandError(`${option}: the year must be between 0001 and 9999.`, 2);
}
