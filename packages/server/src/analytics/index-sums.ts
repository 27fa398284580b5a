import { bucketOf, dayMs, dayOf } from "./buckets.ts";
import type { SumsShape } from "./held-rollup.ts";
import { firstRowDay, rowDay, rowEntity } from "./index-rows.ts";
import { answersOf, type IndexSelection, type Instants, isWithin } from "./index-selection.ts";
import { eachStretch, type IndexStretch, type Pause, wantedStretches } from "./index-stretches.ts";
import { DayTotals, type SumInto } from "./index-totals.ts";
import { type Measure, markPlaces } from "./metric-definitions.ts";
import { wantedOrigins } from "./origins.ts";
import type { TimeSeriesPlan } from "./plan.ts";
import type { AppearanceSegment } from "./prompt-index.ts";

/** What is looked at for the sums, all of it stretches of prompts. */
export interface IndexWork {
  /** Whose sums of days are added up. */
  readonly byDay: readonly IndexStretch<AppearanceSegment>[];
  /** Whose rows say their days: those of whole days all count. */
  readonly byRow: readonly IndexStretch<AppearanceSegment>[];
  readonly byAnswer: readonly IndexStretch<AppearanceSegment>[];
  /** So many answers take as long, at most. */
  readonly answers: number;
}

/** To look at an answer takes as long as to add up so many rows, or so many sums. */
const [rowsAnAnswer, sumsAnAnswer] = [6, 10];

const rowCost = () => 1 / rowsAnAnswer;
/** Of a prompt. */
const sumsCost = ({ days }: AppearanceSegment) =>
  days === null ? 0 : (days.days * days.entities) / sumsAnAnswer;

/** How each of the selected stretches is looked at. */
export function indexWork(
  { stretches }: Pick<IndexSelection<AppearanceSegment>, "stretches">,
  { rows: { conditions } }: Pick<TimeSeriesPlan, "rows">,
  instants: Instants,
): IndexWork {
  const isFiltered = conditions.some(({ column }) => column === "provider" || column === "region");
  const isOfDays = instants.fromMs % dayMs === 0 && instants.toMs % dayMs === 0;
  const byDay: IndexStretch<AppearanceSegment>[] = [];
  const byRow: IndexStretch<AppearanceSegment>[] = [];
  const byAnswer: IndexStretch<AppearanceSegment>[] = [];
  let answers = 0;
  for (const stretch of stretches) {
    const { segment, from, to } = stretch;
    const daysSay = firstRowDay(segment) !== null && (isOfDays || isWithin(segment, instants));
    if (daysSay && !isFiltered && segment.days !== null) {
      byDay.push(stretch);
      answers += (to - from) * sumsCost(segment);
    } else {
      (daysSay ? byRow : byAnswer).push(stretch);
      answers += answersOf(segment, from, to);
    }
  }
  return { byDay, byRow, byAnswer, answers: Math.ceil(answers) };
}

/** What is asked of the index. */
export interface IndexQuestion {
  readonly plan: TimeSeriesPlan;
  readonly instants: Instants;
  readonly pause: Pause;
}

/** Adds up the plan's measures, of the selected answers that its filters let pass. */
export async function indexSums(
  { byDay, byRow, byAnswer }: IndexWork,
  { plan, instants, pause }: IndexQuestion,
  { entities, buckets }: SumsShape,
): Promise<readonly Float64Array[]> {
  const origins = wantedOrigins(plan.rows.conditions);
  const sums = plan.measures.map((measure) => {
    return { plan, instants, buckets, measure, into: new Float64Array(entities * buckets) };
  });
  const bucketsOf = lastKnown((segment) => bucketsOfDays(segment, plan, instants));
  const totals = new Map<AppearanceSegment, readonly DayTotals[]>();
  await eachStretch(byDay, { pause, cost: sumsCost }, ({ segment, from, to }) => {
    const { days } = segment;
    if (days === null) return;
    const known =
      totals.get(segment) ?? sums.map((sum) => new DayTotals(days, bucketsOf(segment), sum));
    totals.set(segment, known);
    for (const each of known) each.add(from, to);
  });
  for (const known of totals.values()) for (const each of known) each.end();
  await eachStretch(wantedStretches(byRow, origins, "rows"), { pause, cost: rowCost }, (rows) => {
    for (const sum of sums) addRows(rows, bucketsOf(rows.segment), sum);
  });
  await eachStretch(wantedStretches(byAnswer, origins, "answers"), { pause }, (answers) => {
    for (const sum of sums) addAnswers(answers, sum);
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

interface Sum extends SumInto, Omit<IndexQuestion, "pause"> {}

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

function addAnswers({ segment, from, to }: IndexStretch<AppearanceSegment>, sum: Sum): void {
  const { answeredAt, rowStart, row } = segment;
  const { plan, instants, buckets, measure, into } = sum;
  const { fromMs, toMs } = instants;
  const [amounts, bit, mask] = amountsOf(segment, measure);
  let [bucket, bucketFrom, bucketTo] = [0, 0, 0]; // of the last answer: the next is often of it
  for (let answer = from; answer < to; answer++) {
    const at = answeredAt[answer] ?? 0;
    if (at < fromMs || at >= toMs) continue;
    if (at < bucketFrom || at >= bucketTo) {
      bucket = bucketOf(plan.interval, at) - plan.firstBucket;
      bucketFrom = plan.startsMs[bucket] ?? 0;
      bucketTo = plan.startsMs[bucket + 1] ?? Number.POSITIVE_INFINITY;
    }
    const end = rowStart[answer + 1] ?? 0;
    for (let each = rowStart[answer] ?? 0; each < end; each++) {
      const place = rowEntity(row[each] ?? 0) * buckets + bucket;
      into[place] = (into[place] ?? 0) + (((amounts[each] ?? 0) >> bit) & mask);
    }
  }
}
