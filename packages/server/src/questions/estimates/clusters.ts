import {
  type Cluster,
  clusterMoments,
  type Moments,
  varianceOf,
  varianceOfChange,
} from "./moments.ts";
import { criticalT, twoSidedP } from "./student-t.ts";

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
