import { eachWithin, foundMax } from "./answers-within.ts";
import { bucketOf, dayMs, dayOf } from "./buckets.ts";
import type { SumsShape } from "./held-rollup.ts";
import type { DaySums } from "./index-days.ts";
import { rowDay, rowEntity } from "./index-rows.ts";
import {
  type CountedStretch,
  eachStretch,
  type IndexStretch,
  type Pause,
  wantedStretches,
} from "./index-stretches.ts";
import { DayTotals, type SumInto } from "./index-totals.ts";
import { daysCost, type IndexWork } from "./index-work.ts";
import type { Instants } from "./instants.ts";
import { type Measure, markPlaces } from "./metric-definitions.ts";
import { wantedOrigins } from "./origins.ts";
import type { TimeSeriesPlan } from "./plan.ts";
import type { AppearanceSegment } from "./prompt-index.ts";

/** To look at an answer takes as long as to add up so many rows. */
const rowsAnAnswer = 6;
const rowCost = () => 1 / rowsAnAnswer;

/** What is asked of the index. */
export interface IndexQuestion {
  readonly plan: TimeSeriesPlan;
  readonly pause: Pause;
}

/** Adds up the plan's measures, of the selected answers that its filters let pass. */
export async function indexSums(
  { byDay, byRow, byAnswer, without }: IndexWork,
  { plan, pause }: IndexQuestion,
  { entities, buckets }: SumsShape,
): Promise<readonly Float64Array[]> {
  const origins = wantedOrigins(plan.rows.conditions);
  const sums = plan.measures.map((measure) => {
    return { plan, buckets, measure, into: new Float64Array(entities * buckets) };
  });
  const totals = new Map<AppearanceSegment, readonly DayTotals[]>();
  await eachStretch(byDay, { pause, cost: daysCost }, ({ segment, from, to, instants: days }) => {
    if (segment.days === null) return;
    const buckets = () => bucketsOfDays(segment, plan, days);
    const known = totals.get(segment) ?? totalsOf(segment.days, buckets(), sums);
    totals.set(segment, known);
    for (const each of known) each.add(from, to);
  });
  for (const known of totals.values()) for (const each of known) each.end();
  const bucketsOf = lastKnown(({ segment, instants }) => bucketsOfDays(segment, plan, instants));
  await eachStretch(wantedStretches(byRow, origins, "rows"), { pause, cost: rowCost }, (rows) => {
    for (const sum of sums) addRows(rows, bucketsOf(rows), sum);
  });
  for (const [stretches, sign] of [[byAnswer, 1] as const, [without, -1] as const]) {
    await eachStretch(wantedStretches(stretches, origins, "answers"), { pause }, (answers) => {
      eachWithin(answers, (found, count) => {
        readAhead(answers.segment, found, count);
        for (const sum of sums) addAnswers(answers.segment, { found, count, sign }, sum);
      });
    });
  }
  return sums.map(({ into }) => into);
}

function totalsOf(days: DaySums, bucketOfDay: Int32Array, sums: readonly SumInto[]) {
  return sums.map((sum) => new DayTotals(days, bucketOfDay, sum));
}

type Stretch = CountedStretch<AppearanceSegment>;

/** Stretches of one segment come one after another: what is made of one is kept for the next. */
function lastKnown<Made>(make: (stretch: Stretch) => Made) {
  let known: { readonly segment: AppearanceSegment; readonly made: Made } | null = null;
  return (stretch: Stretch): Made => {
    const { segment } = stretch;
    if (known?.segment !== segment) known = { segment, made: make(stretch) };
    return known.made;
  };
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

interface Sum extends SumInto, Pick<IndexQuestion, "plan"> {}

/**
 * Every row of the days counts: no answer is looked at. A row counts for some bits of its amount,
 * without a branch, which would be guessed wrong.
 */
function addRows(
  { segment, from, to }: IndexStretch<AppearanceSegment>,
  bucketOfDay: Int32Array,
  { buckets, measure, into }: Sum,
): void {
  const { row } = segment;
  const [amounts, bit, mask] = amountsOf(segment, measure);
  for (let each = from; each < to; each++) {
    const bits = row[each] ?? 0;
    const bucket = bucketOfDay[rowDay(bits)] ?? 0;
    if (bucket < 0) continue;
    const place = rowEntity(bits) * buckets + bucket;
    into[place] = (into[place] ?? 0) + (((amounts[each] ?? 0) >> bit) & mask);
  }
}

/** Where the amount of each row is: in these numbers, from this bit on, so many bits. */
function amountsOf({ row, rank }: AppearanceSegment, measure: Measure) {
  if (measure === "rank") return [rank, 0, 0xffff] as const;
  return [row, markPlaces[measure], 1] as const;
}

/** Places of answers, so many of them; they are added, or taken off. */
interface FoundAnswers {
  readonly found: Int32Array;
  readonly count: number;
  readonly sign: 1 | -1;
}

function addAnswers(
  segment: AppearanceSegment,
  { found, count, sign }: FoundAnswers,
  sum: Sum,
): void {
  const { answeredAt, rowStart, row } = segment;
  const { plan, buckets, measure, into } = sum;
  const [amounts, bit, mask] = amountsOf(segment, measure);
  let [bucket, bucketFrom, bucketTo] = [0, 0, 0]; // of the last answer: the next is often of it
  for (let place = 0; place < count; place++) {
    const answer = found[place] ?? 0;
    const at = answeredAt[answer] ?? 0;
    if (at < bucketFrom || at >= bucketTo) {
      bucket = bucketOf(plan.interval, at) - plan.firstBucket;
      bucketFrom = plan.startsMs[bucket] ?? 0;
      bucketTo = plan.startsMs[bucket + 1] ?? Number.POSITIVE_INFINITY;
    }
    const end = rowStart[answer + 1] ?? 0;
    for (let each = rowStart[answer] ?? 0; each < end; each++) {
      const to = rowEntity(row[each] ?? 0) * buckets + bucket;
      into[to] = (into[to] ?? 0) + sign * (((amounts[each] ?? 0) >> bit) & mask);
    }
  }
}

/** Nobody looks at it: else nothing need be read. */
const read = new Int32Array(foundMax);

/** Reads ahead what will be looked at: of many answers at once, and not one after another. */
function readAhead({ rowStart, row }: AppearanceSegment, found: Int32Array, count: number): void {
  for (let each = 0; each < count; each++) read[each] = rowStart[found[each] ?? 0] ?? 0;
  for (let each = 0; each < count; each++) read[each] = row[read[each] ?? 0] ?? 0;
}
