import { type SummaryMetricName, summaryMetricNames } from "@sightline/contract";
import { dayMs, dayOf, mondayOf, weekOf } from "../../facts/plan/buckets.ts";
import type { Origin, PromptSums, PromptSumsOf } from "../../facts/plan/insight-plans.ts";
import type { Selection } from "../../facts/plan/question.ts";
import { weightBetween } from "../discontinuity.ts";
import { type Reading, readOrigins, readSums } from "../reading.ts";
import { type Trend, trendOf, trendWindowsMin, wrongMax } from "../statistics/change.ts";
import type { Cluster } from "../statistics/moments.ts";
import { adjustedP, type Verdict } from "../statistics/verdicts.ts";
import { type GroupCounts, groupCounts } from "./group-counts.ts";
import { clusterOf } from "./summary-metrics.ts";

/** What the facts say of the whole weeks of a range. */
export interface WeekFacts {
  /** By week. */
  readonly sums: readonly PromptSums[];
  readonly origins: readonly Origin[];
  /** The first week's number, and how many there are. */
  readonly first: number;
  readonly weeks: number;
}

/** Reads the whole weeks (UTC, from Monday) of a range; null: there are too few for a trend. */
export async function readWeeks(
  reading: Reading,
  selection: Selection,
  { groupBy, listed }: Pick<PromptSumsOf, "groupBy" | "listed">,
): Promise<WeekFacts | null> {
  const first = weekOf(Math.ceil(selection.fromMs / dayMs) + 6);
  const end = weekOf(dayOf(selection.toMs));
  if (end - first < trendWindowsMin) return null;
  const whole = {
    ...selection,
    fromMs: mondayOf(first) * dayMs,
    toMs: mondayOf(end) * dayMs,
  };
  const sums = await readSums(reading, whole, {
    groupBy,
    listed,
    byWeek: true,
    withPortrayal: false,
  });
  const origins = await readOrigins(reading, whole, { groupBy, byWeek: true });
  return { sums, origins, first, weeks: end - first };
}

/** A trend of a reply, and what it comes to. */
export interface JudgedTrend extends Trend {
  /** When its first week began. */
  readonly from: string;
  /** Null: it was not tested. */
  readonly adjustedP: number | null;
  readonly verdict: Exclude<Verdict, "discontinuous" | null>;
}

/** The trends of a reply: of a group, an entity by its number, and a metric. */
export type Trends = (
  group: number,
  entity: number,
  metric: SummaryMetricName,
) => JudgedTrend | null;

/**
 * The trends of all groups and entities, each p adjusted for all of them. Weeks before other models
 * or surfaces began to answer are left out. It can be paused after some.
 */
export function* trendsOf(
  { sums, origins, first, weeks }: WeekFacts,
  { entities, threshold }: { readonly entities: readonly number[]; readonly threshold: number },
): Generator<void, Trends, void> {
  const groups = Map.groupBy(sums, ({ group }) => group);
  const byGroup = Map.groupBy(origins, ({ group }) => group);
  const found = new Map<string, Trend & { readonly from: string }>();
  for (const [group, own] of groups) {
    const start = lastBreak(byGroup.get(group) ?? [], { first, weeks, threshold });
    const byWeek = Map.groupBy(own, ({ week }) => week);
    const windows: GroupCounts[] = [];
    for (let week = start; week < first + weeks; week += 1) {
      windows.push((yield* groupCounts(byWeek.get(week) ?? [])).get(group) ?? new Map());
    }
    const from = new Date(mondayOf(start) * dayMs).toISOString();
    for (const entity of entities) {
      for (const metric of summaryMetricNames) {
        const trend = trendOf(windows.map((each) => clustersOf(each, metric, entity)));
        if (trend !== null) found.set(keyOf(group, entity, metric), { ...trend, from });
      }
      yield;
    }
  }
  const tested = [...found].filter(([, { p }]) => p !== null);
  const adjusted = adjustedP(tested.map(([, { p }]) => p ?? 1));
  const byKey = new Map(tested.map(([key], place) => [key, adjusted[place] ?? 1]));
  return (group, entity, metric) => {
    const key = keyOf(group, entity, metric);
    const trend = found.get(key);
    if (trend === undefined) return null;
    const p = byKey.get(key) ?? null;
    if (p === null) return { ...trend, adjustedP: null, verdict: "insufficient" };
    return { ...trend, adjustedP: p, verdict: p <= wrongMax ? "moved" : "within-noise" };
  };
}

const keyOf = (group: number, entity: number, metric: string) => `${group} ${entity} ${metric}`;

/** The first week after the last step at which models or surfaces changed. */
function lastBreak(
  origins: readonly Origin[],
  {
    first,
    weeks,
    threshold,
  }: { readonly first: number; readonly weeks: number; readonly threshold: number },
): number {
  const byWeek = Map.groupBy(origins, ({ week }) => week);
  for (let week = first + weeks - 1; week > first; week -= 1) {
    const weight = weightBetween(byWeek.get(week - 1) ?? [], byWeek.get(week) ?? []);
    if (weight > 0 && weight >= threshold) return week;
  }
  return first;
}

function clustersOf(
  prompts: GroupCounts,
  metric: SummaryMetricName,
  entity: number,
): ReadonlyMap<number, Cluster> {
  return new Map(
    [...prompts].map(([prompt, counts]) => [prompt, clusterOf(metric, entity, counts)]),
  );
}
