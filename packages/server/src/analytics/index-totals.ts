import type { IndexStretch } from "./answer-groups.ts";
import type { DaySums, Narrow } from "./index-days.ts";
import type { Measure } from "./metric-definitions.ts";
import type { AppearanceSegment } from "./prompt-index.ts";

/** What is added up, and where to: of each entity and bucket, at entity × buckets + bucket. */
export interface SumInto {
  readonly measure: Measure;
  readonly buckets: number;
  readonly into: Float64Array;
}

/** Adds sums of days: first those of a segment to one another, then to their buckets. */
export class SegmentDays {
  readonly #sums: readonly SumInto[];
  readonly #bucketsOf: (segment: AppearanceSegment) => Int32Array;
  #segment: AppearanceSegment | null = null;
  #totals: readonly DayTotals[] = [];

  constructor(sums: readonly SumInto[], bucketsOf: (segment: AppearanceSegment) => Int32Array) {
    this.#sums = sums;
    this.#bucketsOf = bucketsOf;
  }

  /** The prompts of a stretch. */
  add({ segment, from, to }: IndexStretch<AppearanceSegment>): void {
    if (segment !== this.#segment) this.#begin(segment);
    for (const totals of this.#totals) totals.add(from, to);
  }

  /** To be called after the last prompts. */
  end(): void {
    const days = this.#segment?.days ?? null;
    if (this.#segment === null || days === null) return;
    const buckets = this.#bucketsOf(this.#segment);
    const first = firstCounted(buckets);
    for (const [each, { totals }] of this.#totals.entries()) {
      const sum = this.#sums[each];
      for (let place = 0; place < totals.length && sum !== undefined; place++) {
        const bucket = buckets[first + Math.floor(place / days.entities)] ?? 0;
        const at = (place % days.entities) * sum.buckets + bucket;
        sum.into[at] = (sum.into[at] ?? 0) + (totals[place] ?? 0);
      }
    }
  }

  #begin(segment: AppearanceSegment): void {
    this.end();
    const buckets = this.#bucketsOf(segment);
    const from = firstCounted(buckets);
    const to = buckets.findLastIndex((bucket) => bucket >= 0) + 1;
    const { days } = segment;
    this.#segment = segment;
    this.#totals =
      days === null
        ? []
        : this.#sums.map(({ measure }) => new DayTotals(days, measure, { from, to }));
  }
}

/** The days of a segment that count lie together. */
function firstCounted(buckets: Int32Array): number {
  return buckets.findIndex((bucket) => bucket >= 0);
}

/** Days of a segment: [from, to). */
interface DayRange {
  readonly from: number;
  readonly to: number;
}

/** Adds the sums of prompts to one another, for each day of a range and each entity. */
class DayTotals {
  readonly #amounts: Narrow;
  /** Of the sums, how many a prompt has, and the first of them that is of the range. */
  readonly #each: number;
  readonly #first: number;
  /** Of each entity on each day of the range: at day × entities + entity. */
  readonly totals: Float64Array;

  constructor(sums: DaySums, measure: Measure, { from, to }: DayRange) {
    const { days, entities } = sums;
    this.#amounts = sums[measure];
    this.#each = days * entities;
    this.#first = from * entities;
    this.totals = new Float64Array((to - from) * entities);
  }

  /** Adds the prompts at [from, to). */
  add(from: number, to: number): void {
    const totals = this.totals;
    const amounts = this.#amounts;
    for (let prompt = from; prompt < to; prompt++) {
      const first = prompt * this.#each + this.#first;
      for (let place = 0; place < totals.length; place++) {
        totals[place] = (totals[place] ?? 0) + (amounts[first + place] ?? 0);
      }
    }
  }
}
