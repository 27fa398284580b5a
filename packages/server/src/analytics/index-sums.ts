import { setImmediate } from "node:timers/promises";
import { bucketOf } from "./buckets.ts";
import type { SumsShape } from "./held-rollup.ts";
import type { Condition, TimeSeriesPlan } from "./plan.ts";
import { type IndexSegment, marks } from "./prompt-index.ts";
import type { FilterColumn } from "./rollups.ts";

/** Instants that count, in milliseconds since 1970: [fromMs, toMs). */
export interface Instants {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Where the answers of the wanted prompts lie, and how many there are to look at. */
export interface IndexSelection {
  readonly stretches: readonly IndexStretch[];
  readonly answers: number;
}

/** Answers that lie one after another: [from, to). */
interface IndexStretch {
  readonly segment: IndexSegment;
  readonly from: number;
  readonly to: number;
}

/** The answers of the prompts that the conditions want, in segments that meet the instants. */
export function selectAnswers(
  segments: readonly IndexSegment[],
  conditions: readonly Condition[],
  { fromMs, toMs }: Instants,
): IndexSelection {
  const wanted = wantedValues(conditions);
  const prompts = conditions.find(({ column }) => column === "prompt")?.values.toSorted(ascending);
  const stretches: IndexStretch[] = [];
  let answers = 0;
  for (const segment of segments) {
    if (segment.lastMs < fromMs || segment.firstMs >= toMs) continue;
    const { topic, branded, promptStart } = segment;
    let [from, to] = [0, 0]; // of the stretch that is being lengthened
    for (const place of placesToLookAt(segment, prompts)) {
      if (!isIn(wanted.prompt, segment.prompt[place])) continue;
      if (!isIn(wanted.topic, topic[place]) || !isIn(wanted.branded, branded[place])) continue;
      const start = promptStart[place] ?? 0;
      if (start !== to) {
        if (from < to) stretches.push({ segment, from, to });
        from = start;
      }
      to = promptStart[place + 1] ?? 0;
      answers += to - start;
    }
    if (from < to) stretches.push({ segment, from, to });
  }
  return { stretches, answers };
}

const ascending = (one: number, other: number) => one - other;

/** Looking for one prompt takes about as long as looking at so many. */
const searchCost = 16;

/** The places of a segment's prompts among which the wanted ones are, in order. */
function placesToLookAt({ prompt }: IndexSegment, prompts: readonly number[] | undefined) {
  if (prompts === undefined || prompts.length * searchCost > prompt.length) return prompt.keys();
  return prompts.map((number) => placeOf(prompt, number));
}

/** The place of a number in an ascending column; where it would be when it is not there. */
function placeOf(column: Int32Array, number: number): number {
  let [low, high] = [0, column.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((column[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Adds up the plan's measures, of the selected answers that its filters let pass. A long selection
 * is added up in turns, so that the event loop goes on in between.
 */
export async function indexSums(
  { stretches }: IndexSelection,
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
  let left = answersATurn;
  for (const { segment, from, to } of stretches) {
    for (let start = from; start < to; ) {
      const end = Math.min(to, start + left);
      addAnswers({ segment, from: start, to: end }, { plan, instants, buckets, wanted, sums });
      left -= end - start;
      start = end;
      if (left > 0) continue;
      left = answersATurn;
      await setImmediate();
      signal.throwIfAborted();
    }
  }
  return sums.map(({ into }) => into);
}

/** What is asked of the index. */
export interface IndexQuestion {
  readonly plan: TimeSeriesPlan;
  readonly instants: Instants;
  readonly signal: AbortSignal;
}

/** About a millisecond. */
const answersATurn = 40_000;

interface Counting extends Omit<IndexQuestion, "signal"> {
  readonly buckets: number;
  readonly wanted: WantedValues;
  /** One a measure: its bit of the marks, 0 for the rank. */
  readonly sums: readonly { readonly bit: number; readonly into: Float64Array }[];
}

function addAnswers({ segment, from, to }: IndexStretch, counting: Counting): void {
  const { answeredAt, provider, region, answerStart, entity, rank } = segment;
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
    const end = answerStart[answer + 1] ?? 0;
    for (const { bit, into } of sums) {
      for (let row = answerStart[answer] ?? 0; row < end; row++) {
        const amount =
          bit === 0 ? (rank[row] ?? 0) : Number(((segment.marks[row] ?? 0) & bit) !== 0);
        const place = (entity[row] ?? 0) * buckets + bucket;
        into[place] = (into[place] ?? 0) + amount;
      }
    }
  }
}

/** 1 at each value that is wanted; null: all are. */
type WantedValues = Readonly<Record<FilterColumn, Uint8Array | null>>;

function wantedValues(conditions: readonly Condition[]): WantedValues {
  const wanted: Record<FilterColumn, Uint8Array | null> = {
    prompt: null,
    topic: null,
    branded: null,
    provider: null,
    region: null,
  };
  for (const { column, values } of conditions) {
    const largest = values.reduce((most, value) => Math.max(most, value), 0);
    const places = new Uint8Array(largest + 1);
    for (const value of values) places[value] = 1;
    wanted[column] = places;
  }
  return wanted;
}

function isIn(wanted: Uint8Array | null, value: number | undefined): boolean {
  return wanted === null || wanted[value ?? 0] === 1;
}
