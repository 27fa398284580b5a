import { bucketOf, dayMs, dayOf } from "./buckets.ts";
import type { SumsShape } from "./held-rollup.ts";
import {
  eachStretch,
  type IndexSelection,
  type IndexStretch,
  type Instants,
  isIn,
  type Pause,
  type WantedValues,
  wantedValues,
} from "./index-selection.ts";
import type { Measure } from "./metric-definitions.ts";
import type { TimeSeriesPlan } from "./plan.ts";
import { type AppearanceSegment, markPlaces } from "./prompt-index.ts";

/** Adds up the plan's measures, of the selected answers that its filters let pass. */
export async function indexSums(
  selection: IndexSelection<AppearanceSegment>,
  { plan, instants, pause }: IndexQuestion,
  { entities, buckets }: SumsShape,
): Promise<readonly Float64Array[]> {
  const { provider, region } = wantedValues(plan.rows.conditions);
  const sums = plan.measures.map((measure) => {
    const into = new Float64Array(entities * buckets);
    return { plan, instants, buckets, provider, region, measure, into };
  });
  const isFiltered = provider !== null || region !== null;
  let known: { readonly segment: AppearanceSegment; readonly placeOf: Int32Array | null } | null =
    null;
  await eachStretch(selection, pause, (stretch) => {
    const { segment } = stretch;
    if (known?.segment !== segment) {
      const isWithin = segment.firstMs >= instants.fromMs && segment.lastMs < instants.toMs;
      known = { segment, placeOf: isWithin && !isFiltered ? bucketsOfDays(segment, plan) : null };
    }
    for (const sum of sums) {
      if (known.placeOf === null) addAnswers(stretch, sum);
      else addRows(stretch, known.placeOf, sum);
    }
  });
  return sums.map(({ into }) => into);
}

/** What is asked of the index. */
export interface IndexQuestion {
  readonly plan: TimeSeriesPlan;
  readonly instants: Instants;
  readonly pause: Pause;
}

interface Sum extends Omit<IndexQuestion, "pause">, Pick<WantedValues, "provider" | "region"> {
  readonly measure: Measure;
  readonly buckets: number;
  readonly into: Float64Array;
}

/** The bucket of each day of a segment, counted from its first; null: it does not know its days. */
function bucketsOfDays(
  { day, firstMs, lastMs }: AppearanceSegment,
  { interval, firstBucket }: TimeSeriesPlan,
): Int32Array | null {
  if (day === null) return null;
  const first = dayOf(firstMs);
  const buckets = new Int32Array(dayOf(lastMs) - first + 1);
  return buckets.map((_, each) => bucketOf(interval, (first + each) * dayMs) - firstBucket);
}

/**
 * Every row counts: no answer is looked at. A row counts for some bits of its amount, without a
 * branch, which would be guessed wrong.
 */
function addRows(
  { segment, from, to }: IndexStretch<AppearanceSegment>,
  bucketOfDay: Int32Array,
  { buckets, measure, into }: Sum,
): void {
  const { rowStart, entity, day } = segment;
  if (day === null) return;
  const [amounts, bit, mask] =
    measure === "rank" ? [segment.rank, 0, 0xffff] : [segment.marks, markPlaces[measure], 1];
  const end = rowStart[to] ?? 0;
  for (let row = rowStart[from] ?? 0; row < end; row++) {
    const place = (entity[row] ?? 0) * buckets + (bucketOfDay[day[row] ?? 0] ?? 0);
    into[place] = (into[place] ?? 0) + (((amounts[row] ?? 0) >> bit) & mask);
  }
}

/** One loop for all: what stands in it is looked at for every answer, so it is kept short. */
function addAnswers({ segment, from, to }: IndexStretch<AppearanceSegment>, sum: Sum): void {
  const { answeredAt, provider, region, rowStart, entity } = segment;
  const { plan, instants, buckets, measure, into } = sum;
  const { fromMs, toMs } = instants;
  const isFiltered = sum.provider !== null || sum.region !== null;
  const [amounts, bit, mask] =
    measure === "rank" ? [segment.rank, 0, 0xffff] : [segment.marks, markPlaces[measure], 1];
  let [bucket, bucketFrom, bucketTo] = [0, 0, 0]; // of the last answer: the next is often of it
  for (let answer = from; answer < to; answer++) {
    const at = answeredAt[answer] ?? 0;
    if (at < fromMs || at >= toMs) continue;
    if (isFiltered && !isIn(sum.provider, provider[answer])) continue;
    if (isFiltered && !isIn(sum.region, region[answer])) continue;
    if (at < bucketFrom || at >= bucketTo) {
      bucket = bucketOf(plan.interval, at) - plan.firstBucket;
      bucketFrom = plan.startsMs[bucket] ?? 0;
      bucketTo = plan.startsMs[bucket + 1] ?? Number.POSITIVE_INFINITY;
    }
    const end = rowStart[answer + 1] ?? 0;
    for (let row = rowStart[answer] ?? 0; row < end; row++) {
      const place = (entity[row] ?? 0) * buckets + bucket;
      into[place] = (into[place] ?? 0) + (((amounts[row] ?? 0) >> bit) & mask);
    }
  }
}
