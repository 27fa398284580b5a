import { effectivePromptsMin } from "@sightline/contract";
import { type GapTotals, meanGapPrompts } from "../../facts/plan/gap-plans.ts";
import {
  type Cluster,
  clusterMoments,
  effectiveHits,
  effectiveOf,
  effectivePrompts,
  type Moments,
  varianceOf,
} from "./moments.ts";
import { criticalOf } from "./student.ts";

/**
 * Estimates of sums over prompts. Answers to one prompt resemble each other, so a prompt, and not
 * an answer, is the unit of variation: clusters in the sense of survey sampling (Kish 1965; Korn
 * and Graubard 1998; Dean and Pagano 2015).
 */

/**
 * Incremented with every change of a rule or a bound that can alter an interval, a p or a verdict.
 * 1: every prompt counted alike, and changes were not like for like.
 */
export const statisticsVersion = 2;

/** A 95 % interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** What a reader must know of an estimate. */
type EstimateFlag =
  /** Fewer than six effective prompts: a value without an interval. */
  | "insufficient"
  /** Every prompt has the same value, so that nothing was seen of how much they vary. */
  | "noVariation"
  /** Fewer than 50 effective prompts. */
  | "exploratory";

/** A value with its uncertainty. */
export interface Estimate {
  /** Null: the denominator is 0. */
  readonly value: number | null;
  readonly numerator: number;
  readonly denominator: number;
  /** As many prompts of equal size would tell as much. */
  readonly effectivePrompts: number;
  /** Null: no value, too few effective prompts, or ranks that do not vary. */
  readonly interval: Interval | null;
  readonly flags: readonly EstimateFlag[];
}

/**
 * How the interval of a ratio is made. `rate`: of a fraction, Wilson's interval. `rank`: of a mean
 * rank, which is at least 1, symmetric on the logarithmic scale of what exceeds 1.
 */
export type Scale = "rate" | "rank";

const exploratoryBelow = 50;

/** The value of all prompts together, and its interval. */
export function estimate(clusters: readonly Cluster[], scale: Scale): Estimate {
  return estimateOf(clusterMoments(clusters), scale);
}

/**
 * The same, of prompts of which only the moments are known. @param answers as many as denominators
 * that are weighted are of: an interval is never narrower than that of so many independent ones.
 */
export function estimateOf(
  moments: Moments,
  scale: Scale,
  answers: number = moments.denominator,
): Estimate {
  const { numerator, denominator } = moments;
  const value = denominator === 0 ? null : numerator / denominator;
  const effective = effectiveOf(moments);
  const variance = value === null || effective < effectivePromptsMin ? null : varianceOf(moments);
  return {
    value,
    numerator,
    denominator,
    effectivePrompts: effective,
    interval:
      value === null || variance === null
        ? null
        : intervalOf(moments, { value, variance, scale, answers }),
    flags: flagsOf(effective, variance),
  };
}

const flagsOfFew: readonly EstimateFlag[] = ["insufficient", "exploratory"];
const flagsOfEqual: readonly EstimateFlag[] = ["noVariation"];
const flagsOfSome: readonly EstimateFlag[] = ["exploratory"];
const flagsOfEqualSome: readonly EstimateFlag[] = ["noVariation", "exploratory"];
const noFlags: readonly EstimateFlag[] = [];

/** What a reader must know of so many prompts; the variance is null when there are too few. */
export function flagsOf(effective: number, variance: number | null): readonly EstimateFlag[] {
  if (effective < effectivePromptsMin) return flagsOfFew;
  if (effective < exploratoryBelow) return variance === 0 ? flagsOfEqualSome : flagsOfSome;
  return variance === 0 ? flagsOfEqual : noFlags;
}

interface Spread {
  readonly value: number;
  readonly variance: number;
  readonly scale: Scale;
  readonly answers: number;
}

function intervalOf(moments: Moments, spread: Spread): Interval | null {
  const { value, variance, scale } = spread;
  const effective = effectiveOf(moments);
  const t = criticalOf(effective - 1);
  if (scale === "rate") return wilson(value, independentAnswers(moments, spread), t);
  if (variance === 0) return null;
  const factor = Math.exp((t * Math.sqrt(variance)) / (value - 1));
  return { low: 1 + (value - 1) / factor, high: 1 + (value - 1) * factor };
}

/**
 * How many independent answers would tell as much as those of the prompts. A prompt counts for more
 * than one answer only as far as both hits and misses are spread over prompts.
 */
function independentAnswers(moments: Moments, { value, variance, answers: all }: Spread): number {
  const prompts = effectiveOf(moments);
  const spread = variance === 0 ? prompts : (value * (1 - value)) / variance;
  const answers = Math.min(all, spread);
  const hits = Math.min(prompts, effectiveHits(moments));
  if (hits < 2) return Math.min(answers, prompts);
  const widened = answers * (criticalOf(prompts - 1) / criticalOf(hits - 1)) ** 2;
  return Math.min(answers, Math.max(prompts, widened));
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

/** A source's own counts: see SourceGapsFacts. */
interface CountedGap {
  readonly answers: number;
  readonly promptSquares: number;
  readonly withCompetitorOnly: number;
}

/**
 * Which share of all answers cites a source and shows a competitor without the brand, where the
 * source's own rate is shrunk towards the mean of all sources as if that were so many prompts more.
 * The sources are ranked by the same numbers where they are read: see rankOf.
 */
export function opportunityOf(
  { answers: own, promptSquares, withCompetitorOnly }: CountedGap,
  { answers, citing, gaps }: GapTotals,
): number {
  const prompts = effectivePrompts(own, promptSquares);
  const rank =
    (prompts * withCompetitorOnly * citing + meanGapPrompts * gaps * own) /
    (prompts + meanGapPrompts);
  return rank / (citing * answers);
}
