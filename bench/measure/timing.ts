import { percentile } from "../../packages/server/test/load/load-plan.ts";

/** How long something took, over several times. */
export interface Timing {
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly times: number;
}

/** Resolves after so long. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** How often something is timed: until the most times, or until the time is up. */
export interface Repetition {
  readonly least: number;
  readonly most: number;
  readonly budgetMs: number;
}

/** Repeats what gives its own time in milliseconds, one after the other. */
export async function repeated(
  run: () => Promise<number>,
  { least, most, budgetMs }: Repetition,
): Promise<readonly number[]> {
  const times: number[] = [];
  const end = performance.now() + budgetMs;
  while (times.length < most && (times.length < least || performance.now() < end)) {
    times.push(await run());
  }
  return times;
}

/** The median and the 99th percentile of times in milliseconds. */
export function timingOf(times: readonly number[]): Timing {
  return {
    medianMs: rounded(percentile(times, 0.5)),
    p99Ms: rounded(percentile(times, 0.99)),
    times: times.length,
  };
}

/** The geometric mean; NaN of none. */
export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/** A figure with three digits after the point. */
export function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
