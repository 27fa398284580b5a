import type { Interval } from "./estimates.ts";

/** Lives of one length: how many ended then, and how many were last seen then. */
export interface Lives {
  /** From their beginning: 0 or more. */
  readonly days: number;
  readonly ended: number;
  readonly censored: number;
}

/** A step of a survival curve: from its day on, until the next. */
interface Step {
  readonly days: number;
  readonly value: number;
  /** Null: the value is 0 or 1. */
  readonly interval: Interval | null;
}

/** How long lives last. */
export interface Survival {
  readonly lives: number;
  readonly ended: number;
  /** The first day at which at most half are left; null: more are. */
  readonly medianDays: number | null;
  /** Null: there is none; high null: it has no upper bound. */
  readonly medianInterval: { readonly low: number; readonly high: number | null } | null;
  /** What is left after so many days; null: none was seen for so long. */
  readonly after: (days: number) => Pick<Step, "interval"> & { readonly value: number | null };
}

/** Of the standard normal distribution: .975. */
const z = 1.959963984540054;

/**
 * The survival curve of Kaplan and Meier (1958). Its intervals are Greenwood's (1926), symmetric on
 * the scale of log(−log S), so that they stay between 0 and 1 (Kalbfleisch and Prentice 1980); that
 * of the median is where they meet one half (Brookmeyer and Crowley 1982). Lives that are censored
 * on a day are at risk of ending on it.
 * @param lives in any order; equal lengths may come several times.
 */
export function survivalOf(lives: readonly Lives[]): Survival {
  const byDays = new Map<number, { ended: number; censored: number }>();
  for (const { days, ended, censored } of lives) {
    const own = byDays.get(days) ?? { ended: 0, censored: 0 };
    byDays.set(days, { ended: own.ended + ended, censored: own.censored + censored });
  }
  const sorted = [...byDays].sort(([a], [b]) => a - b);
  const all = sorted.reduce((sum, [, own]) => sum + own.ended + own.censored, 0);
  let [atRisk, value, sum] = [all, 1, 0];
  const steps: Step[] = [];
  for (const [days, { ended, censored }] of sorted) {
    if (ended > 0) {
      // Whole numbers first: where all end, exactly nothing is left.
      value *= (atRisk - ended) / atRisk;
      sum += ended / (atRisk * (atRisk - ended));
      steps.push({ days, value, interval: intervalOf(value, sum) });
    }
    atRisk -= ended + censored;
  }
  const last = sorted.at(-1)?.[0] ?? -1;
  const firstWhere = (of: (step: Step) => number | undefined) =>
    steps.find((step) => (of(step) ?? 1) <= 0.5 + rounding)?.days ?? null;
  const low = firstWhere(({ interval, value: own }) => interval?.low ?? own);
  return {
    lives: all,
    ended: sorted.reduce((total, [, own]) => total + own.ended, 0),
    medianDays: firstWhere((step) => step.value),
    medianInterval:
      low === null
        ? null
        : { low, high: firstWhere(({ interval, value: own }) => interval?.high ?? own) },
    after: (days) => {
      const step = steps.findLast((each) => each.days <= days) ?? start;
      const isKnown = all > 0 && (days <= last || step.value === 0);
      return isKnown ? { value: step.value, interval: step.interval } : unknown;
    },
  };
}

/** A product of fractions that is one half may be a bit more as a double. */
const rounding = 1e-12;
const start: Step = { days: 0, value: 1, interval: null };
const unknown = { value: null, interval: null } as const;

/** @param sum of Greenwood: Σ d/(n(n − d)). */
function intervalOf(value: number, sum: number): Interval | null {
  if (value <= 0 || value >= 1) return null;
  const error = Math.sqrt(sum) / Math.abs(Math.log(value));
  const [low, high] = [value ** Math.exp(z * error), value ** Math.exp(-z * error)];
  return { low, high };
}
