import { criticalT, twoSidedP } from "./student-t.ts";

/**
 * Estimates of sums over prompts. Answers to one prompt resemble each other, so a prompt, and not
 * an answer, is the unit of variation: clusters in the sense of survey sampling (Korn and Graubard
 * 1998; Dean and Pagano 2015).
 */

/**
 * What one prompt with answers adds to a value: numerator and denominator. The denominator may be
 * 0: a prompt whose answers never mention the entity still adds to its mean rank that it was asked.
 */
export interface Cluster {
  readonly numerator: number;
  readonly denominator: number;
}

/** A 95 % interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** What a reader must know of an estimate. */
export type EstimateFlag =
  /** Fewer than five prompts: a value without an interval. */
  | "insufficient"
  /** Every prompt has the same value, so that nothing was seen of how much they vary. */
  | "noVariation"
  /** Fewer than 50 prompts. */
  | "exploratory";

/** A value with its uncertainty. */
export interface Estimate {
  /** Null: the denominator is 0. */
  readonly value: number | null;
  readonly numerator: number;
  readonly denominator: number;
  /** Prompts with answers. */
  readonly prompts: number;
  /** As many independent answers would have told as much; null: nothing can be said. */
  readonly effectiveAnswers: number | null;
  /** Null: there are fewer than five prompts. */
  readonly interval: Interval | null;
  readonly flags: readonly EstimateFlag[];
}

/** How the interval of a ratio is made. */
export type Scale =
  /** Numerators count some of the denominators: Wilson's interval. */
  | "rate"
  /** Between 0 and 1: symmetric on the logit scale. */
  | "share"
  /** A mean rank: at least 1. */
  | "rank";

/** Fewer prompts say nothing of how much prompts vary. */
export const promptsMin = 5;
const exploratoryBelow = 50;
/** Of an interval that misses the value in one case of twenty. */
const missed = 0.05;

/** The value of all prompts together, and its interval. */
export function estimate(clusters: readonly Cluster[], scale: Scale): Estimate {
  const sums = sumsOf(clusters);
  const { value, variance } = linearized(clusters);
  const prompts = clusters.length;
  const effectiveAnswers = effectiveOf({ value, variance, sums, prompts });
  return {
    value,
    ...sums,
    prompts,
    effectiveAnswers,
    interval:
      value === null || prompts < promptsMin
        ? null
        : intervalOf(scale, { value, variance, prompts, effectiveAnswers }),
    flags: [
      ...(prompts < promptsMin ? (["insufficient"] as const) : []),
      ...(prompts >= promptsMin && variance === 0 ? (["noVariation"] as const) : []),
      ...(prompts < exploratoryBelow ? (["exploratory"] as const) : []),
    ],
  };
}

/** The change of a value between two windows or filters, paired by prompt. */
export interface ChangeEstimate {
  readonly value: number;
  readonly interval: Interval;
  /** That a change as large would be seen though nothing moved; not adjusted. */
  readonly p: number;
}

/**
 * What changed from one to the other. Both lists have the prompts with answers in either, in the
 * same order; one that was not asked in a window has zeros there.
 * @returns null when a window has no value, or there are fewer than two prompts.
 */
export function estimateChange(
  before: readonly Cluster[],
  after: readonly Cluster[],
): ChangeEstimate | null {
  const first = linearized(before);
  const second = linearized(after);
  if (first.value === null || second.value === null) return null;
  const differences = second.residuals.map((residual, j) => residual - (first.residuals[j] ?? 0));
  const prompts = differences.length;
  if (prompts < 2) return null;
  const error = Math.sqrt(varianceOf(differences, prompts));
  const value = second.value - first.value;
  const df = prompts - 1;
  const margin = criticalT(missed, df) * error;
  const noChange = value === 0 ? 1 : 0;
  return {
    value,
    interval: { low: value - margin, high: value + margin },
    p: error === 0 ? noChange : twoSidedP(value / error, df),
  };
}

/** The standard error of the value. */
export function standardError(clusters: readonly Cluster[]): number {
  return Math.sqrt(linearized(clusters).variance);
}

interface Linearized {
  readonly value: number | null;
  /** How far each prompt lies from the value, as a part of the whole. */
  readonly residuals: readonly number[];
  readonly variance: number;
}

function linearized(clusters: readonly Cluster[]): Linearized {
  const { numerator, denominator } = sumsOf(clusters);
  if (denominator === 0) return { value: null, residuals: clusters.map(() => 0), variance: 0 };
  const value = numerator / denominator;
  const residuals = clusters.map((cluster) => {
    // All of it or none: rounding must not make a variation of it.
    const expected = value === 1 ? cluster.denominator : value * cluster.denominator;
    return (cluster.numerator - expected) / denominator;
  });
  return { value, residuals, variance: varianceOf(residuals, clusters.length) };
}

function varianceOf(residuals: readonly number[], prompts: number): number {
  if (prompts < 2) return 0;
  const squares = residuals.reduce((sum, residual) => sum + residual * residual, 0);
  return (prompts / (prompts - 1)) * squares;
}

function sumsOf(clusters: readonly Cluster[]): Cluster {
  return clusters.reduce(
    (sum, { numerator, denominator }) => ({
      numerator: sum.numerator + numerator,
      denominator: sum.denominator + denominator,
    }),
    { numerator: 0, denominator: 0 },
  );
}

interface Spread {
  readonly value: number;
  readonly variance: number;
  readonly prompts: number;
  readonly effectiveAnswers: number | null;
}

function effectiveOf({
  value,
  variance,
  sums,
  prompts,
}: Omit<Spread, "value" | "effectiveAnswers"> & {
  readonly value: number | null;
  readonly sums: Cluster;
}): number | null {
  if (value === null) return null;
  if (variance === 0) return prompts;
  return Math.min(sums.denominator, (value * (1 - value)) / variance);
}

function intervalOf(scale: Scale, spread: Spread): Interval {
  const { value, variance, prompts, effectiveAnswers } = spread;
  const t = criticalT(missed, prompts - 1);
  const margin = t * Math.sqrt(variance);
  if (scale === "rank") return { low: Math.max(1, value - margin), high: value + margin };
  const isExtreme = value === 0 || value === 1;
  if (scale === "rate" || isExtreme) return wilson(value, effectiveAnswers ?? prompts, t);
  const centre = Math.log(value / (1 - value));
  const width = margin / (value * (1 - value));
  return { low: logistic(centre - width), high: logistic(centre + width) };
}

/** Wilson's interval (1927) of a rate p of n answers, c standard errors wide. */
export function wilson(p: number, n: number, c: number): Interval {
  const centre = p + (c * c) / (2 * n);
  const width = c * Math.sqrt((p * (1 - p)) / n + (c * c) / (4 * n * n));
  const whole = 1 + (c * c) / n;
  // At the ends the two parts are equal but for rounding.
  return {
    low: p === 0 ? 0 : (centre - width) / whole,
    high: p === 1 ? 1 : (centre + width) / whole,
  };
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
