import type { Interval } from "@sightline/contract";
import { startsAround } from "@sightline/contract";
import {
  type Answers,
  answersOf,
  type MeasuredBucket,
  type ShownBuckets,
  withinAnswers,
} from "./covered-time.ts";
import { type EntitySeries, entitySeries, type Measure } from "./measures.ts";
import type { Period } from "./period.ts";
import type { FiltersOfSelection } from "./selection.ts";
import type { ToolContext } from "./tool.ts";

/** A bucket's start and its value. */
export interface Bucket {
  readonly bucket: string;
  readonly value: number | null;
}

/** One metric of one entity in two periods. */
export interface Comparison {
  readonly metric: Measure;
  readonly now: readonly Bucket[];
  readonly before: readonly Bucket[];
  /** Null unless each period is one bucket with a value. */
  readonly change: number | null;
}

/** An entity with its metrics. */
export interface ComparedEntity extends Omit<EntitySeries, "data"> {
  readonly comparisons: readonly Comparison[];
}

/** Removes the buckets beyond the answers; `notes` say which time the answers cover. */
export async function cutComparisons(
  context: ToolContext,
  compared: readonly ComparedEntity[],
  { now, before }: Pick<ComparisonQuestion, "now" | "before">,
): Promise<{ readonly entities: readonly ComparedEntity[]; readonly notes: readonly string[] }> {
  let asked: Promise<Answers> | null = null;
  const ask = () => {
    asked ??= answersOf(context);
    return asked;
  };
  const all = compared.flatMap(({ comparisons }) => comparisons);
  const nowShown = await withinAnswers(ask, emptiness(all.map((each) => each.now)), now);
  const beforeShown = await withinAnswers(ask, emptiness(all.map((each) => each.before)), before);
  const entities = compared.map((entity) => ({
    ...entity,
    comparisons: entity.comparisons.map((each) =>
      comparison(each.metric, part(each.now, nowShown), part(each.before, beforeShown)),
    ),
  }));
  return { entities, notes: [...new Set([...nowShown.notes, ...beforeShown.notes])] };
}

function emptiness(lists: readonly (readonly Bucket[])[]): readonly MeasuredBucket[] {
  return (lists[0] ?? []).map(({ bucket }, index) => ({
    startMs: Date.parse(bucket),
    isEmpty: lists.every((list) => list[index]?.value === null),
  }));
}

/** A single bucket stays: it is the period's value, null or not. */
function part(buckets: readonly Bucket[], { first, end }: ShownBuckets): readonly Bucket[] {
  return buckets.length === 1 ? buckets : buckets.slice(first, end);
}

/** Two periods and how to query them. */
export interface ComparisonQuestion {
  readonly interval: Interval;
  readonly now: Period;
  readonly before: Period;
  readonly filters: FiltersOfSelection;
}

/** Queries all metrics of all entities in both periods, concurrently. */
export async function comparedMeasures(
  context: ToolContext,
  measures: readonly Measure[],
  question: ComparisonQuestion,
): Promise<readonly ComparedEntity[]> {
  const byMeasure = await Promise.all(
    measures.map(async (metric) => ({ metric, ...(await inBoth(context, metric, question)) })),
  );
  const [first] = byMeasure;
  if (first === undefined) return [];
  return first.now.map(({ id, name, role }) => ({
    id,
    name,
    role,
    comparisons: byMeasure.map(({ metric, now, before }) =>
      comparison(metric, bucketsOf(now, id), bucketsOf(before, id)),
    ),
  }));
}

interface BothPeriods {
  readonly now: readonly EntitySeries[];
  readonly before: readonly EntitySeries[];
}

/**
 * The series of both periods: with one query when one period follows the other at a bucket
 * boundary, since then no bucket has answers of both.
 */
async function inBoth(
  context: ToolContext,
  measure: Measure,
  { interval, now, before, filters }: ComparisonQuestion,
): Promise<BothPeriods> {
  const ask = (period: Period) => entitySeries(context, { measure, interval, period, filters });
  const starts = startsAround(now.fromMs);
  const start = { daily: starts.day, weekly: starts.week, monthly: starts.month }[interval];
  if (before.toMs !== now.fromMs || start !== now.fromMs) {
    const [nowSeries, beforeSeries] = await Promise.all([ask(now), ask(before)]);
    return { now: nowSeries, before: beforeSeries };
  }
  const all = await ask({ fromMs: before.fromMs, toMs: now.toMs });
  const inPart = (isOf: (startMs: number) => boolean) =>
    all.map((series) => ({
      ...series,
      data: series.data.filter(({ timestamp }) => isOf(Date.parse(timestamp))),
    }));
  return { now: inPart((ms) => ms >= start), before: inPart((ms) => ms < start) };
}

function bucketsOf(series: readonly EntitySeries[], id: string): readonly Bucket[] {
  const data = series.find((each) => each.id === id)?.data ?? [];
  return data.map(({ timestamp, value }) => ({ bucket: timestamp, value }));
}

function comparison(
  metric: Measure,
  now: readonly Bucket[],
  before: readonly Bucket[],
): Comparison {
  const [latest, previous] = [now, before].map((buckets) =>
    buckets.length === 1 ? (buckets[0]?.value ?? null) : null,
  );
  const isKnown = typeof latest === "number" && typeof previous === "number";
  return { metric, now, before, change: isKnown ? latest - previous : null };
}
