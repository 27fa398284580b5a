import {
  type Grouping,
  type Interval,
  isPortrayalFlag,
  type PortrayalFlag,
  type SeriesMetricName,
} from "@sightline/contract";
import type { Surface } from "../../answers/answer.ts";
import { bucketOf, dayMs, dayOf } from "./buckets.ts";
import type { Excluded, Selection, SourcesQuestion, TimeSeriesQuestion } from "./question.ts";

/**
 * What is summed over the facts. For an entity in an answer: 1 when it is mentioned, cited,
 * visible, else 0; its rank, or 0 when it is not mentioned. The answer itself counts as an entity
 * (number 0) that every answer mentions, cites and shows: its sums are the rates' denominators.
 */
export type Measure = "mentioned" | "cited" | "visible" | "rank" | PortrayalMeasure;

/**
 * What is summed of how answers speak of an entity: 1 when the answer mentions it and was read for
 * that, and when it says what the flag says. The answer itself always counts as read.
 */
export type PortrayalMeasure = "read" | PortrayalFlag;

/** A metric is data: what is summed, and by what it is divided. */
export interface MetricDefinition {
  readonly numerator: Measure;
  /** `answers`: all answers of the bucket. Else the same measure of the entity's own in it. */
  readonly per: "answers" | "mentioned" | "read";
  /** `place`: a mean of places, from 1. */
  readonly unit: "fraction" | "place";
}

/** The metrics of time series (semantics, Metrics). Each stands here and nowhere else. */
export const metricDefinitions: Readonly<Record<SeriesMetricName, MetricDefinition>> = {
  mentions: { numerator: "mentioned", per: "answers", unit: "fraction" },
  "overall-visibility": { numerator: "visible", per: "answers", unit: "fraction" },
  citations: { numerator: "cited", per: "answers", unit: "fraction" },
  rank: { numerator: "rank", per: "mentioned", unit: "place" },
  recommended: { numerator: "recommended", per: "read", unit: "fraction" },
  praised: { numerator: "praised", per: "read", unit: "fraction" },
  criticized: { numerator: "criticized", per: "read", unit: "fraction" },
  discouraged: { numerator: "discouraged", per: "read", unit: "fraction" },
  notFound: { numerator: "notFound", per: "read", unit: "fraction" },
};

/** The sums that a metric needs, in the order in which rows carry them. */
function measuresOf({ numerator, per }: MetricDefinition): readonly Measure[] {
  return per === "answers" ? [numerator] : [numerator, per];
}

/** A column of the facts that filters look at. */
export type FilterColumn =
  | "provider"
  | "topic"
  | "prompt"
  | "region"
  | "branded"
  | "model"
  | "surface";

/** Sums by day: rows that agree in all of a rollup's columns are one row of it. */
interface Rollup<Table extends RollupTable = RollupTable> {
  readonly table: Table;
  /** The filter columns that its rows keep. */
  readonly filters: readonly FilterColumn[];
  /** What its sums are grouped by, for a rollup of citations. */
  readonly groupBy?: Grouping;
}

/** The name of a rollup. */
type RollupTable = "daily" | "daily_domains";

/** The rollups of appearances. */
export const appearanceRollups: readonly Rollup[] = [
  { table: "daily", filters: ["provider", "region", "branded"] },
];

/** The rollups of citations. Sums by day and URL would be nearly as many as the citations. */
export const citationRollups: readonly Rollup[] = [
  { table: "daily_domains", filters: [], groupBy: "domain" },
];

/** Why a rollup cannot answer a question. */
type RefusalReason =
  | `filter_by_${FilterColumn}`
  | `group_by_${Grouping}`
  | "filter_by_source"
  | "filter_by_portrayal"
  | "sums_by_prompt"
  | "sums_by_answer"
  | "range_within_a_day";

/** A rollup that was considered, and why it was refused. */
interface Refusal {
  readonly rollup: RollupTable;
  readonly reason: RefusalReason;
}

/** Which rollup answers a question; null: the rows themselves do. */
export interface RollupChoice {
  readonly rollup: RollupTable | null;
  /** The rollups considered before it, or all of them. */
  readonly refused: readonly Refusal[];
}

/** The first rollup that can answer, in the order given, and why those before it cannot. */
function chooseRollup(
  candidates: readonly Rollup[],
  refuse: (rollup: Rollup) => RefusalReason | null,
): RollupChoice {
  const refused: Refusal[] = [];
  for (const rollup of candidates) {
    const reason = refuse(rollup);
    if (reason === null) return { rollup: rollup.table, refused };
    refused.push({ rollup: rollup.table, reason });
  }
  return { rollup: null, refused };
}

/** No rollup can answer, for one reason. */
export function noRollup(candidates: readonly Rollup[], reason: RefusalReason): RollupChoice {
  return chooseRollup(candidates, () => reason);
}

/** The first filter column that a rollup does not keep; null: it keeps them all. */
function lostFilter({ filters }: Rollup, wanted: readonly FilterColumn[]): RefusalReason | null {
  const lost = wanted.find((column) => !filters.includes(column));
  return lost === undefined ? null : `filter_by_${lost}`;
}

/** The grouping that a rollup of citations does not have; null: it has it. */
function lostGrouping({ groupBy }: Rollup, wanted: Grouping): RefusalReason | null {
  return groupBy === wanted ? null : `group_by_${wanted}`;
}

/** `column` is one of `values`, which are distinct and not empty; excluded: it is none of them. */
interface Condition {
  readonly column: FilterColumn;
  readonly values: readonly number[];
  readonly isExcluded: boolean;
}

/** Where rows are read: a rollup, or the rows that rollups are made of. */
export type FactsTable =
  | "appearances"
  | "citations"
  | "unanswered"
  | "queries"
  | "names"
  | "words"
  | RollupTable;

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
  readonly limit: number;
  readonly offset: number;
}

/** The numbers by which the facts know things; undefined: the facts know no such thing. */
export interface Codes {
  readonly provider: (name: string) => number | undefined;
  readonly topic: (id: string) => number | undefined;
  readonly prompt: (id: string) => number | undefined;
  readonly region: (code: string) => number | undefined;
  readonly model: (name: string) => number | undefined;
  readonly surface: (name: Surface) => number | undefined;
  /** Of the prompts that have a tag today. The facts do not know tags: the workspace does. */
  readonly tagged: (tag: string) => readonly number[];
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
interface SeriesCodes {
  readonly codes: Codes;
  /** How many there are. */
  readonly entities: number;
}

/** The plan of a time series; null when no row can pass the filters. */
export function planTimeSeries(
  question: TimeSeriesQuestion,
  by: SeriesCodes,
): TimeSeriesPlan | null {
  const { selection, metric } = question;
  return seriesPlan(question, by, (conditions) => {
    if (isPortrayalFlag(metric)) return noRollup(appearanceRollups, "filter_by_portrayal");
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
  return { choice, rows, groupBy, limit, offset };
}

/** The rows of a table, without any rollup, that pass the filters; null when none can. */
export function rowsOf(
  selection: Selection,
  table: Exclude<FactsTable, RollupTable | "words">,
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
  const { branded, exclude } = selection;
  const conditions = [
    ...conditionsOn(selection, codes),
    ...(branded === null
      ? []
      : [{ column: "branded" as const, values: [Number(branded)], isExcluded: false }]),
  ];
  if (conditions.some(({ values }) => values.length === 0)) return null;
  const excluded = exclude === null ? [] : conditionsOn(exclude, codes);
  return [
    ...conditions,
    ...excluded
      .filter(({ values }) => values.length > 0)
      .map(({ column, values }) => ({ column, values, isExcluded: true })),
  ];
}

function conditionsOn(
  { providers, topicIds, promptIds, regions, models, surfaces, tags }: Excluded,
  codes: Codes,
): readonly Condition[] {
  const wanted: readonly (readonly [FilterColumn, readonly number[] | null])[] = [
    ["provider", coded(providers, codes.provider)],
    ["topic", coded(topicIds, codes.topic)],
    ["prompt", coded(promptIds, codes.prompt)],
    ["region", coded(regions, codes.region)],
    ["model", coded(models, codes.model)],
    ["surface", coded(surfaces, codes.surface)],
    ["prompt", tags && [...new Set(tags.flatMap(codes.tagged))]],
  ];
  return wanted.flatMap(([column, values]) =>
    values === null ? [] : [{ column, values, isExcluded: false }],
  );
}

/** What the facts do not know matches nothing, so it is left out of the alternatives. */
function coded<Item extends string>(
  items: readonly Item[] | null,
  code: (item: Item) => number | undefined,
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
  raw: Exclude<FactsTable, RollupTable>,
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
