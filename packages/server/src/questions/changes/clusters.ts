import {
  type Cluster,
  clusterMoments,
  type Moments,
  varianceOf,
  varianceOfChange,
} from "./moments.ts";

/**
 * Estimates of sums over prompts. Answers to one prompt resemble each other, so a prompt, and not
 * an answer, is the unit of variation: clusters in the sense of survey sampling (Korn and Graubard
 * 1998; Dean and Pagano 2015).
 */

/** A 95 % interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** What a reader must know of an estimate. */
type EstimateFlag =
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
  /** Null: there is no value, or there are fewer than five prompts. */
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
  return estimateOf(clusterMoments(clusters), scale);
}

/** The same, of prompts of which only the moments are known. */
export function estimateOf(moments: Moments, scale: Scale): Estimate {
  const { numerator, denominator, prompts } = moments;
  const value = denominator === 0 ? null : numerator / denominator;
  const isEnough = value !== null && prompts >= promptsMin;
  const variance = isEnough ? varianceOf(moments) : null;
  const spread =
    value === null || variance === null ? null : spreadOf({ value, variance, moments, scale });
  return {
    value,
    numerator,
    denominator,
    prompts,
    effectiveAnswers: spread?.effectiveAnswers ?? null,
    interval: spread === null ? null : intervalOf(scale, spread),
    flags: flagsOf(prompts, variance),
  };
}

const flagsOfFew: readonly EstimateFlag[] = ["insufficient", "exploratory"];
const flagsOfEqual: readonly EstimateFlag[] = ["noVariation"];
const flagsOfSome: readonly EstimateFlag[] = ["exploratory"];
const flagsOfEqualSome: readonly EstimateFlag[] = ["noVariation", "exploratory"];
const noFlags: readonly EstimateFlag[] = [];

/** What a reader must know of so many prompts; the variance is null when there are too few. */
export function flagsOf(prompts: number, variance: number | null): readonly EstimateFlag[] {
  if (prompts < promptsMin) return flagsOfFew;
  if (prompts < exploratoryBelow) return variance === 0 ? flagsOfEqualSome : flagsOfSome;
  return variance === 0 ? flagsOfEqual : noFlags;
}

/** The change of a value between two windows or filters, paired by prompt. */
interface ChangeEstimate {
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
  const [first, second] = [ratioOf(before), ratioOf(after)];
  const prompts = before.length;
  if (first === null || second === null || prompts < 2) return null;
  const error = Math.sqrt(varianceOfChange(before, after));
  const value = second - first;
  const df = prompts - 1;
  const margin = criticalOf(df) * error;
  const noChange = value === 0 ? 1 : 0;
  return {
    value,
    interval: { low: value - margin, high: value + margin },
    p: error === 0 ? noChange : twoSidedP(value / error, df),
  };
}

/** The standard error of the value. */
export function standardError(clusters: readonly Cluster[]): number {
  return ratioOf(clusters) === null ? 0 : Math.sqrt(varianceOf(clusterMoments(clusters)));
}

function ratioOf(clusters: readonly Cluster[]): number | null {
  const { numerator, denominator } = clusterMoments(clusters);
  return denominator === 0 ? null : numerator / denominator;
}

interface Spread {
  readonly value: number;
  readonly variance: number;
  readonly prompts: number;
  readonly effectiveAnswers: number;
}

/**
 * A mean rank varies in no known way: each of its mentions counts. Prompts that agree count once
 * each, but never more than what was counted: one mention in a hundred prompts is one.
 */
function spreadOf({
  value,
  variance,
  moments: { prompts, denominator },
  scale,
}: {
  readonly value: number;
  readonly variance: number;
  readonly moments: Moments;
  readonly scale: Scale;
}): Spread {
  const varying = scale === "rank" ? denominator : (value * (1 - value)) / variance;
  const independent = variance === 0 ? prompts : varying;
  return { value, variance, prompts, effectiveAnswers: Math.min(denominator, independent) };
}

function intervalOf(scale: Scale, spread: Spread): Interval {
  const { value, variance, prompts, effectiveAnswers } = spread;
  const t = criticalOf(prompts - 1);
  const margin = t * Math.sqrt(variance);
  if (scale === "rank") return { low: Math.max(1, value - margin), high: value + margin };
  const isExtreme = value === 0 || value === 1;
  if (scale === "rate" || isExtreme) return wilson(value, effectiveAnswers, t);
  const centre = Math.log(value / (1 - value));
  const width = margin / (value * (1 - value));
  return { low: logistic(centre - width), high: logistic(centre + width) };
}

const criticals = new Map<number, number>();
const criticalsMax = 10_000;

/** To find a critical value takes some 50 µs, and the values of a reply often share it. */
function criticalOf(df: number): number {
  const critical = criticals.get(df) ?? criticalT(missed, df);
  if (criticals.size >= criticalsMax) criticals.clear();
  criticals.set(df, critical);
  return critical;
}

/** Wilson's interval (1927) of a rate p of n answers, c standard errors wide. */
export function wilson(p: number, n: number, c: number): Interval {
  const centre = p + (c * c) / (2 * n);
  const width = c * Math.sqrt((p * (1 - p)) / n + (c * c) / (4 * n * n));
  const whole = 1 + (c * c) / n;
  // At the ends the two parts are equal but for rounding.
  return {
    low: p === 0 ? 0 : Math.max(0, (centre - width) / whole),
    high: p === 1 ? 1 : Math.min(1, (centre + width) / whole),
  };
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/**
 * Student's t distribution, to about twelve digits: the regularized incomplete beta function by its
 * continued fraction (Abramowitz and Stegun 26.5.8 and 26.5.27).
 */

/** The probability that |T| exceeds |t|. @param df degrees of freedom, above 0. */
export function twoSidedP(t: number, df: number): number {
  return regularizedBeta(df / (df + t * t), df / 2, 0.5);
}

/**
 * The t that |T| exceeds with probability `twoSided`, in (0, 1).
 * @param df degrees of freedom, above 0.
 */
export function criticalT(twoSided: number, df: number): number {
  let low = 0;
  let high = 1;
  while (twoSidedP(high, df) > twoSided) high *= 2;
  // Halving needs no derivative, and 80 steps reach the last bit of a double.
  for (let step = 0; step < 80; step++) {
    const middle = (low + high) / 2;
    if (twoSidedP(middle, df) > twoSided) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** I_x(a, b). */
function regularizedBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x),
  );
  // The fraction converges fast on this side; the other side is its mirror.
  if (x < (a + 1) / (a + b + 2)) return (front * betaFraction(x, a, b)) / a;
  return 1 - (front * betaFraction(1 - x, b, a)) / b;
}

const stepsMax = 1_000;
const precision = 1e-16;
const tiny = 1e-300;

/** The continued fraction of the incomplete beta function, by Lentz's method. */
function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= stepsMax; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d);
    c = nonZero(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d);
    c = nonZero(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < precision) break;
  }
  return fraction;
}

function nonZero(value: number): number {
  return Math.abs(value) < tiny ? tiny : value;
}

/** Lanczos's coefficients for g = 7 and nine terms. */
const lanczosFirst = 0.99999999999980993;
const lanczosTerms = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** ln Γ(x), for x of at least 0.5. */
function logGamma(x: number): number {
  const base = x + 6.5;
  let sum = lanczosFirst;
  for (const [place, term] of lanczosTerms.entries()) sum += term / (x + place);
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(base) - base + Math.log(sum);
}
