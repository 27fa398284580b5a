import { bucketOf, dayMs, dayOf } from "./buckets.ts";
import type { SumsShape } from "./held-rollup.ts";
import {
  eachStretch,
  type IndexSelection,
  type IndexStretch,
  type Instants,
  type Pause,
} from "./index-selection.ts";
import { type Measure, markPlaces } from "./metric-definitions.ts";
import { wantedOrigins } from "./origins.ts";
import type { TimeSeriesPlan } from "./plan.ts";
import type { AppearanceSegment } from "./prompt-index.ts";

/** What is looked at for the sums, from what takes the least time on. */
export interface IndexWork {
  /** Places of `DaySums`. */
  readonly byDay: readonly IndexStretch<AppearanceSegment>[];
  /** Answers whose rows say their days: those of whole days all count. */
  readonly byRow: readonly IndexStretch<AppearanceSegment>[];
  readonly byAnswer: readonly IndexStretch<AppearanceSegment>[];
  /** So many answers take as long. */
  readonly answers: number;
}

/** An answer's rows take as long as so many sums. */
const sumsAnAnswer = 8;

/** How each of the selected stretches is looked at. */
export function indexWork(
  { stretches }: Pick<IndexSelection<AppearanceSegment>, "stretches">,
  { rows: { conditions } }: Pick<TimeSeriesPlan, "rows">,
  { fromMs, toMs }: Instants,
): IndexWork {
  const isFiltered = conditions.some(({ column }) => column === "provider" || column === "region");
  const isOfDays = fromMs % dayMs === 0 && toMs % dayMs === 0;
  const byDay: IndexStretch<AppearanceSegment>[] = [];
  const byRow: IndexStretch<AppearanceSegment>[] = [];
  const byAnswer: IndexStretch<AppearanceSegment>[] = [];
  let answers = 0;
  for (const stretch of stretches) {
    const { segment, fromPrompt, toPrompt } = stretch;
    const { days, day, firstMs, lastMs } = segment;
    const daysSay = !isFiltered && (isOfDays || (firstMs >= fromMs && lastMs < toMs));
    if (daysSay && days !== null) {
      const [from, to] = [days.start[fromPrompt] ?? 0, days.start[toPrompt] ?? 0];
      byDay.push({ segment, from, to });
      answers += (to - from) / sumsAnAnswer;
    } else {
      (daysSay && day !== null ? byRow : byAnswer).push(stretch);
      answers += stretch.to - stretch.from;
    }
  }
  return { byDay, byRow, byAnswer, answers: Math.ceil(answers) };
}

/** Adds up the plan's measures, of the selected answers that its filters let pass. */
export async function indexSums(
  { byDay, byRow, byAnswer }: IndexWork,
  { plan, instants, pause }: IndexQuestion,
  { entities, buckets }: SumsShape,
): Promise<readonly Float64Array[]> {
  const origins = wantedOrigins(plan.rows.conditions);
  const sums = plan.measures.map((measure) => {
    const into = new Float64Array(entities * buckets);
    return { plan, instants, buckets, origins, measure, into };
  });
  const bucketsOf = lastKnown((segment) => bucketsOfDays(segment, plan, instants));
  await eachStretch(byDay, pause, (stretch) => {
    for (const sum of sums) addDays(stretch, bucketsOf(stretch.segment), sum);
  });
  await eachStretch(byRow, pause, (stretch) => {
    for (const sum of sums) addRows(stretch, bucketsOf(stretch.segment), sum);
  });
  await eachStretch(byAnswer, pause, (stretch) => {
    for (const sum of sums) addAnswers(stretch, sum);
  });
  return sums.map(({ into }) => into);
}

/** Stretches of one segment come one after another: what is made of it is kept for the next. */
function lastKnown<Made>(make: (segment: AppearanceSegment) => Made) {
  let known: { readonly segment: AppearanceSegment; readonly made: Made } | null = null;
  return (segment: AppearanceSegment): Made => {
    if (known?.segment !== segment) known = { segment, made: make(segment) };
    return known.made;
  };
}

/** What is asked of the index. */
export interface IndexQuestion {
  readonly plan: TimeSeriesPlan;
  readonly instants: Instants;
  readonly pause: Pause;
}

interface Sum extends Omit<IndexQuestion, "pause"> {
  /** See `wantedOrigins`. */
  readonly origins: Uint8Array | null;
  readonly measure: Measure;
  readonly buckets: number;
  readonly into: Float64Array;
}

/** The bucket of each day of a segment, counted from its first; negative: it does not count. */
function bucketsOfDays(
  { firstMs, lastMs }: AppearanceSegment,
  { interval, firstBucket }: TimeSeriesPlan,
  { fromMs, toMs }: Instants,
): Int32Array {
  const first = dayOf(firstMs);
  const buckets = new Int32Array(dayOf(lastMs) - first + 1);
  return buckets.map((_, each) => {
    const startMs = (first + each) * dayMs;
    const meets = startMs + dayMs > fromMs && startMs < toMs;
    return meets ? bucketOf(interval, startMs) - firstBucket : -1;
  });
}

/** Sums of days are added up: no row is looked at. */
function addDays(
  { segment: { days }, from, to }: IndexStretch<AppearanceSegment>,
  bucketOfDay: Int32Array,
  { buckets, measure, into }: Sum,
): void {
  if (days === null) return;
  const { day, entity } = days;
  const amounts = days[measure];
  for (let each = from; each < to; each++) {
    const bucket = bucketOfDay[day[each] ?? 0] ?? 0;
    if (bucket < 0) continue;
    const place = (entity[each] ?? 0) * buckets + bucket;
    into[place] = (into[place] ?? 0) + (amounts[each] ?? 0);
  }
}

/**
 * Every row of the days counts: no answer is looked at. A row counts for some bits of its amount,
 * without a branch, which would be guessed wrong.
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
    const bucket = bucketOfDay[day[row] ?? 0] ?? 0;
    if (bucket < 0) continue;
    const place = (entity[row] ?? 0) * buckets + bucket;
    into[place] = (into[place] ?? 0) + (((amounts[row] ?? 0) >> bit) & mask);
  }
}

/** One loop for all: what stands in it is looked at for every answer, so it is kept short. */
function addAnswers({ segment, from, to }: IndexStretch<AppearanceSegment>, sum: Sum): void {
  const { answeredAt, origin, rowStart, entity } = segment;
  const { plan, instants, buckets, origins, measure, into } = sum;
  const { fromMs, toMs } = instants;
  const [amounts, bit, mask] =
    measure === "rank" ? [segment.rank, 0, 0xffff] : [segment.marks, markPlaces[measure], 1];
  let [bucket, bucketFrom, bucketTo] = [0, 0, 0]; // of the last answer: the next is often of it
  for (let answer = from; answer < to; answer++) {
    // The narrowest column first: the others are read for fewer.
    if (origins !== null && origins[origin[answer] ?? 0] !== 1) continue;
    const at = answeredAt[answer] ?? 0;
    if (at < fromMs || at >= toMs) continue;
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
