import type { Interval } from "@sightline/contract";
import { bucketOf, dayMs, dayOf } from "./buckets.ts";
import type { CitedSource } from "./cited-source.ts";
import { type Measure, measuresOf, metricDefinitions } from "./metric-definitions.ts";
import type { Selection, SourcesQuestion, TimeSeriesQuestion } from "./question.ts";
import {
  appearanceRollups,
  chooseRollup,
  citationRollups,
  type FilterColumn,
  lostFilter,
  lostGrouping,
  noRollup,
  type Refusal,
  type RollupChoice,
  type RollupTable,
} from "./rollups.ts";

/** `column` is one of `values`, which are distinct and not empty. */
export interface Condition {
  readonly column: FilterColumn;
  readonly values: readonly number[];
}

/** Where rows are read: a rollup, or the rows that rollups are made of. */
export type FactsTable = "appearances" | "citations" | RollupTable;

/** Rows of one table between two days, or two instants (milliseconds since 1970); `to` is out. */
export interface PlanPart {
  readonly table: FactsTable;
  readonly by: "day" | "answered_at";
  readonly from: number;
  readonly to: number;
}

/** Which rows count: those of any part that meet every condition. The parts are disjoint. */
export interface RowSelection {
  readonly parts: readonly PlanPart[];
  readonly conditions: readonly Condition[];
}

/** How a time series is computed from the facts. */
export interface TimeSeriesPlan {
  readonly choice: RollupChoice;
  readonly rows: RowSelection;
  readonly measures: readonly Measure[];
  /** How many there are, numbered from 1. */
  readonly entities: number;
  readonly interval: Interval;
  /** The first bucket: a day, a week or a month, counted as `buckets.ts` does. */
  readonly firstBucket: number;
  /** Milliseconds since 1970, of each bucket's start. */
  readonly startsMs: readonly number[];
}

/** How a question was answered: for logs and metrics. */
export interface PlanUsed {
  /** The table that most rows came from; `none`: no row can pass the filters. */
  readonly name: FactsTable | "none";
  /** The rollups that were considered before it, and why each was refused. */
  readonly refused: readonly Refusal[];
}

/** No row can pass the filters. */
export const noPlan: PlanUsed = { name: "none", refused: [] };

/** How a page of sources is computed from the facts. */
export interface SourcesPlan {
  readonly choice: RollupChoice;
  readonly rows: RowSelection;
  readonly groupBy: SourcesQuestion["groupBy"];
  /** Only sources of these citations are listed; null: all. */
  readonly listed: CitedSource | null;
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

/** The plan that a question was answered by. */
export function usedBy({
  choice,
  rows,
}: {
  readonly choice: RollupChoice;
  readonly rows: RowSelection;
}): PlanUsed {
  return { name: choice.rollup ?? rows.parts[0]?.table ?? "none", refused: choice.refused };
}

/** What a time series is planned by. */
export interface SeriesCodes {
  readonly codes: Codes;
  /** How many there are. */
  readonly entities: number;
}

/** The plan of a time series; null when no row can pass the filters. */
export function planTimeSeries(
  question: TimeSeriesQuestion,
  by: SeriesCodes,
): TimeSeriesPlan | null {
  const { selection } = question;
  return seriesPlan(question, by, (conditions) => {
    return appearancesChoice(
      selection,
      conditions.map(({ column }) => column),
    );
  });
}

/** The plan of a time series whose points say how prompts vary. */
export function planCountedSeries(
  question: TimeSeriesQuestion,
  by: SeriesCodes,
): TimeSeriesPlan | null {
  return seriesPlan(question, by, () => noRollup(appearanceRollups, "sums_by_prompt"));
}

function seriesPlan(
  { selection, metric, buckets }: TimeSeriesQuestion,
  { codes, entities }: SeriesCodes,
  choose: (conditions: readonly Condition[]) => RollupChoice,
): TimeSeriesPlan | null {
  const conditions = conditionsOf(selection, codes);
  if (conditions === null) return null;
  const choice = choose(conditions);
  return {
    choice,
    rows: { parts: partsOf(selection, "appearances", choice), conditions },
    measures: measuresOf(metricDefinitions[metric]),
    entities,
    interval: buckets.interval,
    firstBucket: bucketOf(buckets.interval, selection.fromMs),
    startsMs: buckets.startsMs,
  };
}

/** The plan of a page of sources; null when no row can pass the filters. */
export function planSources(question: SourcesQuestion, codes: Codes): SourcesPlan | null {
  const { selection, groupBy, limit, offset } = question;
  const conditions = conditionsOf(selection, codes);
  if (conditions === null) return null;
  const wanted = conditions.map(({ column }) => column);
  const choice = chooseRollup(
    citationRollups,
    (rollup) =>
      lostGrouping(rollup, groupBy) ?? noWholeDay(selection) ?? lostFilter(rollup, wanted),
  );
  const rows = { parts: partsOf(selection, "citations", choice), conditions };
  return { choice, rows, groupBy, listed: null, limit, offset };
}

/** The rows of a table, without any rollup, that pass the filters; null when none can. */
export function rowsOf(
  selection: Selection,
  table: "appearances" | "citations",
  codes: Codes,
): RowSelection | null {
  const conditions = conditionsOf(selection, codes);
  if (conditions === null) return null;
  return { parts: partsOf(selection, table, { rollup: null, refused: [] }), conditions };
}

/** The same rows for sums of appearances by day. */
export function countsOf(
  selection: Selection,
  { conditions }: RowSelection,
): { readonly choice: RollupChoice; readonly rows: RowSelection } {
  const choice = appearancesChoice(
    selection,
    conditions.map(({ column }) => column),
  );
  return { choice, rows: { parts: partsOf(selection, "appearances", choice), conditions } };
}

function appearancesChoice(selection: Selection, wanted: readonly FilterColumn[]): RollupChoice {
  return chooseRollup(
    appearanceRollups,
    (rollup) => noWholeDay(selection) ?? lostFilter(rollup, wanted),
  );
}

function conditionsOf(selection: Selection, codes: Codes): readonly Condition[] | null {
  const { providers, topicIds, promptIds, regions, branded } = selection;
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
  return conditions.some(({ values }) => values.length === 0) ? null : conditions;
}

/** What the facts do not know matches nothing, so it is left out of the alternatives. */
function coded(
  items: readonly string[] | null,
  code: (item: string) => number | undefined,
): readonly number[] | null {
  if (items === null) return null;
  return items.map(code).filter((value) => value !== undefined);
}

/** The UTC days that lie in the range as a whole: [firstDay, endDay). There may be none. */
function wholeDays({ fromMs, toMs }: Selection) {
  return { firstDay: Math.ceil(fromMs / dayMs), endDay: dayOf(toMs) };
}

function noWholeDay(selection: Selection): "range_within_a_day" | null {
  const { firstDay, endDay } = wholeDays(selection);
  return firstDay < endDay ? null : "range_within_a_day";
}

/** Whole days from the rollup and the ends from the rows themselves, or everything from those. */
function partsOf(
  selection: Selection,
  raw: "appearances" | "citations",
  { rollup }: RollupChoice,
): readonly PlanPart[] {
  const { fromMs, toMs } = selection;
  const { firstDay, endDay } = wholeDays(selection);
  const [startMs, endMs] = [firstDay * dayMs, endDay * dayMs];
  const instants = (from: number, to: number): PlanPart => {
    return { table: raw, by: "answered_at", from, to };
  };
  if (rollup === null) {
    const isAligned = fromMs === startMs && toMs === endMs;
    return isAligned
      ? [{ table: raw, by: "day", from: firstDay, to: endDay }]
      : [instants(fromMs, toMs)];
  }
  return [
    { table: rollup, by: "day", from: firstDay, to: endDay },
    ...(fromMs < startMs ? [instants(fromMs, startMs)] : []),
    ...(endMs < toMs ? [instants(endMs, toMs)] : []),
  ];
}
