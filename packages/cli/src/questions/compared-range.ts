import { CommandError } from "../result.ts";
import type { TimeRange } from "./time-range.ts";
import { instantOfOption } from "./time-word.ts";

/** The word for the range just before. */
const previous = "previous";

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
