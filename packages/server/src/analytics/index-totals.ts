import type { DaySums } from "./index-days.ts";
import type { Narrow } from "./index-rows.ts";
import type { Measure } from "./metric-definitions.ts";

/** What is added up, and where to: of each entity and bucket, at entity × buckets + bucket. */
export interface SumInto {
  readonly measure: Measure;
  readonly buckets: number;
  readonly into: Float64Array;
}

/** Adds the sums of a segment's prompts to one another, and in the end to where they belong. */
export class DayTotals {
  readonly #days: DaySums;
  readonly #amounts: Narrow;
  /** See `bucketsOfDays`; the days that count lie together. */
  readonly #bucketOfDay: Int32Array;
  readonly #firstDay: number;
  readonly #sum: SumInto;
  /** Of each entity on each day that counts: at day × entities + entity. */
  readonly #totals: Float64Array;

  constructor(days: DaySums, bucketOfDay: Int32Array, sum: SumInto) {
    this.#days = days;
    this.#amounts = days[sum.measure];
    this.#bucketOfDay = bucketOfDay;
    this.#firstDay = bucketOfDay.findIndex((bucket) => bucket >= 0);
    this.#sum = sum;
    const counted = bucketOfDay.findLastIndex((bucket) => bucket >= 0) + 1 - this.#firstDay;
    this.#totals = new Float64Array(counted * days.entities);
  }

  /** Adds the prompts at [from, to). */
  add(from: number, to: number): void {
    const totals = this.#totals;
    const amounts = this.#amounts;
    const { days, entities } = this.#days;
    for (let prompt = from; prompt < to; prompt++) {
      const first = (prompt * days + this.#firstDay) * entities;
      for (let place = 0; place < totals.length; place++) {
        totals[place] = (totals[place] ?? 0) + (amounts[first + place] ?? 0);
      }
    }
  }

  /** Adds the totals to their buckets; to be called once. */
  end(): void {
    const { buckets, into } = this.#sum;
    const { entities } = this.#days;
    for (const [place, total] of this.#totals.entries()) {
      const bucket = this.#bucketOfDay[this.#firstDay + Math.floor(place / entities)] ?? 0;
      const at = (place % entities) * buckets + bucket;
      into[at] = (into[at] ?? 0) + total;
    }
  }
}
