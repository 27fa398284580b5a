import { effectivePromptsMin } from "@sightline/contract";
import type { Interval } from "./estimates.ts";
import { type Cluster, clusterMoments, effectiveOf, varianceOfSum } from "./moments.ts";
import { criticalOf, twoSidedP } from "./student.ts";

/** What the answers of one UTC day add to a value. */
export interface Day extends Cluster {
  /** Prompts that have answers of that day. */
  readonly prompts: number;
}

/**
 * What pairs of provider and region add to a value, side by side. A summary has millions: none is
 * an object.
 */
export interface PairClusters {
  /** In ascending order, so that rounding is the same whatever the order of the rows. */
  readonly pairs: readonly number[];
  readonly numerators: Float64Array;
  readonly denominators: Float64Array;
}

/** Pairs from what each adds. */
export function pairsFrom(clusters: ReadonlyMap<number, Cluster>): PairClusters {
  const sorted = [...clusters].sort(([a], [b]) => a - b);
  return {
    pairs: sorted.map(([pair]) => pair),
    numerators: Float64Array.from(sorted, ([, { numerator }]) => numerator),
    denominators: Float64Array.from(sorted, ([, { denominator }]) => denominator),
  };
}

/** One side of a comparison, in any order. */
export interface Side {
  /** What each prompt adds. */
  readonly clusters: ReadonlyMap<number, Cluster>;
  /**
   * What each pair of provider and region adds, of the prompts that have a denominator on both
   * sides. A pair has the same number on both.
   */
  readonly pairsOf: (common: ReadonlySet<number>) => PairClusters;
  /** Days with answers. */
  readonly days: readonly Day[];
  /** Prompts that have answers. */
  readonly prompts: number;
}

/** What a change consists of; the parts add up to it. */
export interface ChangeParts {
  /** Of the prompts that both sides have, without the mix. */
  readonly likeForLike: number;
  /** Of other shares of providers and regions. */
  readonly mix: number;
  readonly promptsAdded: number;
  readonly promptsRemoved: number;
}

/** How a value differs from the one before, and how sure that is. */
export interface ChangeEstimate {
  /** After less before, of all prompts. */
  readonly value: number;
  /** Null: no prompt is on both sides. */
  readonly parts: ChangeParts | null;
  /** Of the prompts on both sides, the lesser of the sides' numbers. */
  readonly effectivePrompts: number;
  /** Of `parts.likeForLike`; null: too few effective prompts, or they all changed alike. */
  readonly interval: Interval | null;
  /** That a like-for-like change as large would be seen though nothing moved; not adjusted. */
  readonly p: number | null;
  readonly flags: readonly "fewDays"[];
}

/** A p up to which a change is taken to be one. */
export const wrongMax = 0.05;
const daysMin = 5;
/** A day says something of a window when so many of its prompts were answered on it. */
const dayPromptsMin = 0.8;

/**
 * The change from one side to the other, like for like: of prompts with answers on both sides, and
 * without what other shares of providers and regions alone bring about.
 * @returns null when a side has no value.
 */
export function changeOf(before: Side, after: Side): ChangeEstimate | null {
  const [first, second] = [before, after].map(({ clusters }) => ratioOf(totalOf(clusters)));
  if (first == null || second == null) return null;
  const value = second - first;
  const common = commonPrompts(before.clusters, after.clusters);
  const nothing = { value, parts: null, effectivePrompts: 0, interval: null, p: null, flags: [] };
  if (common.length === 0) return nothing;
  const windows = [before, after].map(({ clusters }) =>
    common.map((prompt) => clusters.get(prompt) ?? noCluster),
  );
  const own = windows.map(clusterMoments);
  const [firstOwn, secondOwn] = [ratioOf(own[0]) ?? 0, ratioOf(own[1]) ?? 0];
  const kept = new Set(common);
  const mix = mixOf(before.pairsOf(kept), after.pairsOf(kept));
  const parts = {
    likeForLike: secondOwn - firstOwn - mix,
    mix,
    promptsAdded: second - secondOwn,
    promptsRemoved: firstOwn - first,
  };
  const effective = Math.min(...own.map(effectiveOf));
  if (effective < effectivePromptsMin) return { ...nothing, parts, effectivePrompts: effective };
  const error = Math.sqrt(varianceOfSum(windows, [-1, 1]));
  const byDays = dayTest([before, after], parts.likeForLike);
  const p = Math.max(
    pairedP({ change: parts.likeForLike, error, df: effective - 1 }, differing(windows)),
    byDays ?? 0,
  );
  const margin = criticalOf(effective - 1) * error;
  const interval = error === 0 ? null : aroundChange(parts.likeForLike, margin, p);
  const flags: ChangeEstimate["flags"] = byDays === null ? ["fewDays"] : [];
  return { value, parts, effectivePrompts: effective, interval, p, flags };
}

/** How a change of prompts on both sides varies. */
export interface PairedVariance {
  readonly variance: number;
  readonly effectivePrompts: number;
}

/** Null: too few effective prompts are on both sides. */
export function pairedVariance(
  before: ReadonlyMap<number, Cluster>,
  after: ReadonlyMap<number, Cluster>,
): PairedVariance | null {
  const common = commonPrompts(before, after);
  const windows = [before, after].map((side) => common.map((each) => side.get(each) ?? noCluster));
  const effective = Math.min(...windows.map((window) => effectiveOf(clusterMoments(window))));
  if (effective < effectivePromptsMin) return null;
  return { variance: varianceOfSum(windows, [-1, 1]), effectivePrompts: effective };
}

const noCluster: Cluster = { numerator: 0, denominator: 0 };

function ratioOf(sums: Cluster | undefined): number | null {
  return sums === undefined || sums.denominator === 0 ? null : sums.numerator / sums.denominator;
}

/** The prompts that have a denominator on both sides. */
function commonPrompts(
  before: ReadonlyMap<number, Cluster>,
  after: ReadonlyMap<number, Cluster>,
): readonly number[] {
  const isIn = (side: ReadonlyMap<number, Cluster>, prompt: number) =>
    (side.get(prompt)?.denominator ?? 0) > 0;
  return [...before.keys()].filter((each) => isIn(before, each) && isIn(after, each));
}

/**
 * What other shares of the pairs bring about: Σ(w₂ − w₁)(r̄ − R̄) (Kitagawa 1955). 0 when no pair
 * is on both sides: then they are compared on purpose.
 */
function mixOf(before: PairClusters, after: PairClusters): number {
  const [first, second] = [totalOfPairs(before), totalOfPairs(after)];
  const mean = ((ratioOf(first) ?? 0) + (ratioOf(second) ?? 0)) / 2;
  let [one, two] = [0, 0];
  let isShared = false;
  let mix = 0;
  while (one < before.pairs.length || two < after.pairs.length) {
    const next = before.pairs[one] ?? Number.POSITIVE_INFINITY;
    const other = after.pairs[two] ?? Number.POSITIVE_INFINITY;
    const isBefore = next <= other;
    const isAfter = other <= next;
    const b1 = isBefore ? (before.denominators[one] ?? 0) : 0;
    const b2 = isAfter ? (after.denominators[two] ?? 0) : 0;
    const r1 = b1 === 0 ? null : (before.numerators[one] ?? 0) / b1;
    const r2 = b2 === 0 ? null : (after.numerators[two] ?? 0) / b2;
    isShared ||= r1 !== null && r2 !== null;
    const share = b2 / second.denominator - b1 / first.denominator;
    mix += share * (((r1 ?? r2 ?? 0) + (r2 ?? r1 ?? 0)) / 2 - mean);
    if (isBefore) one += 1;
    if (isAfter) two += 1;
  }
  return isShared ? mix : 0;
}

function totalOfPairs({ numerators, denominators }: PairClusters): Cluster {
  const sums = { numerator: 0, denominator: 0 };
  for (const each of numerators) sums.numerator += each;
  for (const each of denominators) sums.denominator += each;
  return sums;
}

function totalOf(sums: ReadonlyMap<number, Cluster>): Cluster {
  let [numerator, denominator] = [0, 0];
  for (const each of sums.values()) {
    numerator += each.numerator;
    denominator += each.denominator;
  }
  return { numerator, denominator };
}

/** How many prompts have not the same value in all windows. */
function differing(windows: readonly (readonly Cluster[])[]): number {
  const [first = []] = windows;
  return first.filter((one, place) =>
    windows.some((window) => {
      const other = window[place] ?? noCluster;
      return one.numerator * other.denominator !== other.numerator * one.denominator;
    }),
  ).length;
}

/**
 * The p of a change of paired prompts: Student's, but no less than the chance that all prompts that
 * differ move one way.
 */
function pairedP(
  { change, error, df }: { readonly change: number; readonly error: number; readonly df: number },
  differingPrompts: number,
): number {
  const p = error === 0 ? 0 : twoSidedP(change / error, df);
  return Math.min(1, Math.max(p, 2 ** (1 - differingPrompts)));
}

/** An interval includes 0 exactly when the change may be none. */
function aroundChange(change: number, margin: number, p: number): Interval {
  const [low, high] = [change - margin, change + margin];
  return p > wrongMax ? { low: Math.min(0, low), high: Math.max(0, high) } : { low, high };
}

/**
 * The p of a change by how much days vary: answers of one day share what happened on it.
 * @returns null when a side has fewer than five days that most of its prompts have answers of.
 */
export function dayTest(sides: readonly [Side, Side], change: number): number | null {
  const variances: number[] = [];
  let dfMin = Number.POSITIVE_INFINITY;
  for (const { clusters, days, prompts } of sides) {
    const total = totalOf(clusters);
    const full = days.filter((day) => day.prompts >= dayPromptsMin * prompts);
    if (full.length < daysMin || total.denominator === 0) return null;
    const residuals = full.map(
      ({ numerator, denominator }) =>
        (numerator * total.denominator - total.numerator * denominator) / total.denominator ** 2,
    );
    // In one order, so that rounding is the same whatever the order of the rows.
    const squares = residuals.map((residual) => residual * residual).toSorted((a, b) => a - b);
    const sum = squares.reduce((all, each) => all + each, 0);
    variances.push((full.length / (full.length - 1)) * sum);
    dfMin = Math.min(dfMin, full.length - 1);
  }
  const variance = (variances[0] ?? 0) + (variances[1] ?? 0);
  return variance === 0 ? 0 : twoSidedP(change / Math.sqrt(variance), dfMin);
}

/** How a value rises or falls over windows of equal length. */
export interface Trend {
  /** By how much from one window to the next, of the prompts that all windows have. */
  readonly slope: number;
  readonly effectivePrompts: number;
  /** Null: too few effective prompts, or they all changed alike. */
  readonly interval: Interval | null;
  /** Null: too few effective prompts. */
  readonly p: number | null;
  /** The value of each window, of these prompts. */
  readonly values: readonly number[];
}

/** Fewer windows show no trend. */
export const trendWindowsMin = 5;

/**
 * The trend over windows, by the prompts with a denominator in each.
 * @param windows what each prompt adds, by prompt, of each window in the order of time.
 * @returns null: fewer than five windows, or no prompt is in all of them.
 */
export function trendOf(windows: readonly ReadonlyMap<number, Cluster>[]): Trend | null {
  const [first] = windows;
  if (first === undefined || windows.length < trendWindowsMin) return null;
  const common = [...first.keys()].filter((prompt) =>
    windows.every((window) => (window.get(prompt)?.denominator ?? 0) > 0),
  );
  if (common.length === 0) return null;
  const clusters = windows.map((window) =>
    common.map((prompt) => window.get(prompt) ?? { numerator: 0, denominator: 0 }),
  );
  const moments = clusters.map(clusterMoments);
  const values = moments.map(({ numerator, denominator }) => numerator / denominator);
  const weights = slopeWeights(windows.length);
  const slope = values.reduce((sum, value, window) => sum + value * (weights[window] ?? 0), 0);
  const effective = Math.min(...moments.map(effectiveOf));
  const short = { slope, effectivePrompts: effective, values };
  if (effective < effectivePromptsMin) return { ...short, interval: null, p: null };
  const error = Math.sqrt(varianceOfSum(clusters, weights));
  const df = effective - 1;
  const p = Math.max(
    pairedP({ change: slope, error, df }, differing(clusters)),
    lineP(values, slope),
  );
  const interval = error === 0 ? null : aroundChange(slope, criticalOf(df) * error, p);
  return { ...short, interval, p };
}

/** (τ − τ̄) / Σ(τ − τ̄)², for each window. */
function slopeWeights(windows: number): readonly number[] {
  const middle = (windows - 1) / 2;
  const squares = (windows * (windows * windows - 1)) / 12;
  return Array.from({ length: windows }, (_, window) => (window - middle) / squares);
}

/** The p of the slope of a straight line through the values. */
function lineP(values: readonly number[], slope: number): number {
  const windows = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / windows;
  const middle = (windows - 1) / 2;
  const residuals = values.map((value, window) => value - mean - slope * (window - middle));
  const sum = residuals.reduce((all, each) => all + each * each, 0);
  const variance = (sum / (windows - 2)) * (12 / (windows * (windows * windows - 1)));
  return variance === 0 ? 0 : twoSidedP(slope / Math.sqrt(variance), windows - 2);
}
