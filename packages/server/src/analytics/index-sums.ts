import { bucketOf } from "./buckets.ts";
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
import { type AppearanceSegment, markBits } from "./prompt-index.ts";

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
  await eachStretch(selection, pause, (stretch) => {
    for (const sum of sums) addAnswers(stretch, sum);
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

/** One loop for all: what stands in it is looked at for every answer, so it is kept short. */
function addAnswers({ segment, from, to }: IndexStretch<AppearanceSegment>, sum: Sum): void {
  const { answeredAt, provider, region, rowStart, entity, rank, marks } = segment;
  const { plan, instants, buckets, measure, into } = sum;
  const { fromMs, toMs } = instants;
  const isFiltered = sum.provider !== null || sum.region !== null;
  const bit = measure === "rank" ? 0 : markBits[measure];
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
      if (bit === 0) into[place] = (into[place] ?? 0) + (rank[row] ?? 0);
      else if (((marks[row] ?? 0) & bit) !== 0) into[place] = (into[place] ?? 0) + 1;
    }
  }
}
