import type { MetricDefinition } from "./metric-definitions.ts";

/** What a point's value is made of. */
export interface PointCounts {
  /** Numerator over denominator; null when the denominator is 0. */
  readonly value: number | null;
  readonly numerator: number;
  readonly denominator: number;
  /** No answer of the bucket passes the filters. */
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
