import type { PlanUsed } from "./plan.ts";

/** A tracked entity as a series shows it. */
export interface SeriesEntity {
  readonly id: string;
  readonly name: string;
}

/** What the facts say to a time series. */
export interface SeriesFacts {
  /** In the order of the series; one and the same list as long as they are the same. */
  readonly entities: readonly SeriesEntity[];
  /**
   * For each of the metric's measures: the sum of entity e in bucket b at e × buckets + b. Entity 0
   * is all answers, entity e is the series e - 1. Nothing counted is 0.
   */
  readonly sums: readonly Float64Array[];
  /** How prompts vary; null when nobody asked for it, or no answer passes. */
  readonly spread: SeriesSpread | null;
  /** When the account's last answer was given; null: nobody asked for it, or there is none. */
  readonly lastMs: number | null;
  readonly used: PlanUsed;
}

/**
 * How the prompts of a time series vary: sums over prompts of squares and products of what each
 * prompt adds to a bucket (see Moments), at the same places as the sums.
 */
export interface SeriesSpread {
  /** Prompts that the value counts. Of rates: those of entity 0 are everybody's. */
  readonly prompts: Float64Array;
  readonly numeratorSquares: Float64Array;
  /** Of rates: those of entity 0 are everybody's. */
  readonly denominatorSquares: Float64Array;
  readonly products: Float64Array;
}
