import { bucketOf } from "./buckets.ts";
import type { SumsShape } from "./held-rollup.ts";
import {
  eachStretch,
  type IndexSelection,
  type IndexStretch,
  type Instants,
  isIn,
  type WantedValues,
  wantedValues,
} from "./index-selection.ts";
import type { TimeSeriesPlan } from "./plan.ts";
import { type AppearanceSegment, marks } from "./prompt-index.ts";

/** Adds up the plan's measures, of the selected answers that its filters let pass. */
export async function indexSums(
  selection: IndexSelection<AppearanceSegment>,
  { plan, instants, signal }: IndexQuestion,
  { entities, buckets }: SumsShape,
): Promise<readonly Float64Array[]> {
  const wanted = wantedValues(plan.rows.conditions);
  const sums = plan.measures.map((measure) => {
    return {
      bit: measure === "rank" ? 0 : marks[measure],
      into: new Float64Array(entities * buckets),
    };
  });
  await eachStretch(selection, signal, (stretch) =>
    addAnswers(stretch, { plan, instants, buckets, wanted, sums }),
  );
  return sums.map(({ into }) => into);
}

/** What is asked of the index. */
export interface IndexQuestion {
  readonly plan: TimeSeriesPlan;
  readonly instants: Instants;
  readonly signal: AbortSignal;
}

interface Counting extends Omit<IndexQuestion, "signal"> {
  readonly buckets: number;
  readonly wanted: WantedValues;
  /** One a measure: its bit of the marks, 0 for the rank. */
  readonly sums: readonly { readonly bit: number; readonly into: Float64Array }[];
}

function addAnswers(
  { segment, from, to }: IndexStretch<AppearanceSegment>,
  counting: Counting,
): void {
  const { answeredAt, provider, region, rowStart, entity, rank } = segment;
  const { plan, instants, buckets, wanted, sums } = counting;
  let [bucket, bucketFrom, bucketTo] = [0, 0, 0]; // of the last answer: the next is often of it
  for (let answer = from; answer < to; answer++) {
    const at = answeredAt[answer] ?? 0;
    if (at < instants.fromMs || at >= instants.toMs) continue;
    if (!isIn(wanted.provider, provider[answer]) || !isIn(wanted.region, region[answer])) continue;
    if (at < bucketFrom || at >= bucketTo) {
      bucket = bucketOf(plan.interval, at) - plan.firstBucket;
      bucketFrom = plan.startsMs[bucket] ?? 0;
      bucketTo = plan.startsMs[bucket + 1] ?? Number.POSITIVE_INFINITY;
    }
    const end = rowStart[answer + 1] ?? 0;
    for (const { bit, into } of sums) {
      for (let row = rowStart[answer] ?? 0; row < end; row++) {
        const amount =
          bit === 0 ? (rank[row] ?? 0) : Number(((segment.marks[row] ?? 0) & bit) !== 0);
        const place = (entity[row] ?? 0) * buckets + bucket;
        into[place] = (into[place] ?? 0) + amount;
      }
    }
  }
}
