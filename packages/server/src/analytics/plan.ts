import type { Interval } from "@sightline/contract";
import { dayOf, mondayOf, monthOf } from "./buckets.ts";
import { type Measure, measuresOf, metricDefinitions } from "./metric-definitions.ts";
import type { Selection, SourcesQuestion, TimeSeriesQuestion } from "./question.ts";

/** A column of the facts that filters look at. */
export type FilterColumn = "provider" | "topic" | "prompt" | "region" | "branded";

/** `column` is one of `values`, which are distinct and not empty. */
export interface Condition {
  readonly column: FilterColumn;
  readonly values: readonly number[];
}

/** The rows that count: their instant in [fromMs, toMs), and every condition. */
export interface RowSelection {
  readonly fromMs: number;
  readonly toMs: number;
  readonly conditions: readonly Condition[];
}

/** How a time series is computed from the facts. */
export interface TimeSeriesPlan {
  readonly rows: RowSelection;
  readonly measures: readonly Measure[];
  readonly interval: Interval;
  /** The first bucket: a day (daily), a Monday's day (weekly), a month (monthly). */
  readonly firstBucket: number;
}

/** How a page of sources is computed from the facts. */
export interface SourcesPlan {
  readonly rows: RowSelection;
  readonly groupBy: SourcesQuestion["groupBy"];
  readonly limit: number;
  readonly offset: number;
}

/** The numbers by which the facts know things; undefined: the facts know no such thing. */
export interface Codes {
  readonly provider: (name: string) => number | undefined;
  readonly topic: (id: string) => number | undefined;
  readonly prompt: (id: string) => number | undefined;
  readonly region: (code: string) => number | undefined;
}

/** The plan of a time series; null when no row can pass the filters. */
export function planTimeSeries(question: TimeSeriesQuestion, codes: Codes): TimeSeriesPlan | null {
  const rows = planRows(question.selection, codes);
  if (rows === null) return null;
  const { interval } = question.buckets;
  return {
    rows,
    measures: measuresOf(metricDefinitions[question.metric]),
    interval,
    firstBucket: firstBucket(interval, question.selection.fromMs),
  };
}

/** The plan of a page of sources; null when no row can pass the filters. */
export function planSources(question: SourcesQuestion, codes: Codes): SourcesPlan | null {
  const rows = planRows(question.selection, codes);
  if (rows === null) return null;
  const { groupBy, limit, offset } = question;
  return { rows, groupBy, limit, offset };
}

function planRows(selection: Selection, codes: Codes): RowSelection | null {
  const { fromMs, toMs, providers, topicIds, promptIds, regions, branded } = selection;
  const wanted: readonly (readonly [FilterColumn, readonly number[] | null])[] = [
    ["provider", coded(providers, codes.provider)],
    ["topic", coded(topicIds, codes.topic)],
    ["prompt", coded(promptIds, codes.prompt)],
    ["region", coded(regions, codes.region)],
    ["branded", branded === null ? null : [Number(branded)]],
  ];
  const conditions = wanted.flatMap(([column, values]) =>
    values === null ? [] : [{ column, values }],
  );
  if (conditions.some(({ values }) => values.length === 0)) return null;
  return { fromMs, toMs, conditions };
}

/** What the facts do not know matches nothing, so it is left out of the alternatives. */
function coded(
  items: readonly string[] | null,
  code: (item: string) => number | undefined,
): readonly number[] | null {
  if (items === null) return null;
  return items.map(code).filter((value) => value !== undefined);
}

function firstBucket(interval: Interval, fromMs: number): number {
  switch (interval) {
    case "daily":
      return dayOf(fromMs);
    case "weekly":
      return mondayOf(dayOf(fromMs));
    case "monthly":
      return monthOf(fromMs);
  }
}
