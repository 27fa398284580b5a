import type { MetricDefinition } from "../facts/plan/metric-definitions.ts";
import type { SeriesSpread } from "../facts/plan/series.ts";
import { estimateOf, type Interval } from "./estimates/clusters.ts";

/** What a point's value is made of. */
export interface PointCounts {
  /** Numerator over denominator; null when the denominator is 0. */
  readonly value: number | null;
  readonly numerator: number;
  readonly denominator: number;
  /** No answer of the bucket passes the filters. */
  readonly empty: boolean;
}

/** The counts of a point, and the interval of its value. */
export interface EstimatedPoint extends Omit<PointCounts, "empty"> {
  /** Null: fewer than five prompts have answers in the bucket, or there is no value. */
  readonly interval: Interval | null;
  readonly empty: boolean;
}

/** The counts of entity e in bucket b, from the sums of SeriesFacts. */
export function pointCounts(
  { per }: MetricDefinition,
  sums: readonly Float64Array[],
  buckets: number,
): (entity: number, bucket: number) => PointCounts {
  const [numerators = none, mentions = numerators] = sums;
  return (entity, bucket) => {
    const place = entity * buckets + bucket;
    const numerator = numerators[place] ?? 0;
    // Entity 0 is the answer itself, which counts in each measure but rank.
    const answers = (per === "answers" ? numerators : mentions)[bucket] ?? 0;
    const denominator = per === "answers" ? answers : (mentions[place] ?? 0);
    const value = denominator === 0 ? null : numerator / denominator;
    return { value, numerator, denominator, empty: answers === 0 };
  };
}

const none = new Float64Array();

/** The points of entity e in bucket b, with intervals where the spread is known. */
export function estimatedPoints(
  definition: MetricDefinition,
  { sums, spread, buckets }: SpreadSums,
): (entity: number, bucket: number) => EstimatedPoint {
  const counts = pointCounts(definition, sums, buckets);
  const isRate = definition.per === "answers";
  return (entity, bucket) => {
    const { empty, ...point } = counts(entity, bucket);
    const place = entity * buckets + bucket;
    if (spread === null || point.value === null) return { ...point, interval: null, empty };
    const moments = {
      ...point,
      prompts: spread.prompts[bucket] ?? 0,
      numeratorSquares: spread.numeratorSquares[place] ?? 0,
      denominatorSquares: spread.denominatorSquares[isRate ? bucket : place] ?? 0,
      products: spread.products[place] ?? 0,
    };
    const { interval } = estimateOf(moments, isRate ? "rate" : "rank");
    return { ...point, interval, empty };
  };
}

/** The sums of a series, and how its prompts vary. */
export interface SpreadSums {
  readonly sums: readonly Float64Array[];
  readonly spread: SeriesSpread | null;
  readonly buckets: number;
}
