import {
  type Bound,
  constant,
  type Fragment,
  joined,
  type RowShape,
  type Statement,
  sql,
} from "../../platform/sql.ts";
import { bucketColumns, measureColumns } from "../columns.ts";
import { allAnswers, allCitations, type SourceGapsPlan } from "../plan/gap-plans.ts";
import {
  type DaySumsPlan,
  type DomainHitsPlan,
  type LanguagesPlan,
  type OneSided,
  type OriginsPlan,
  otherEntities,
  type PairSumsPlan,
  type PromptSumsPlan,
  pairRegions,
  portrayalMeasures,
  promptsOfDay,
  type ReadingsPlan,
  splitsPrompts,
} from "../plan/insight-plans.ts";
import type { Measure, TimeSeriesPlan } from "../plan/plan.ts";
import { type Dialect, eachPart, groupColumn, sourceColumns } from "./dialect.ts";

/** Sums of one entity in one bucket. */
export const sumShape = {
  bucket: "number",
  entity: "number",
  sum: "number",
  mentions: "number",
} as const;

/**
 * Sums by bucket and entity, in no order; `sum` is that of the plan's first measure, `mentions`
 * that of its second, or 0. Each part gives its own rows: a bucket that several parts meet has a
 * row from each.
 */
export function timeSeriesStatement(
  { rows, measures, interval }: TimeSeriesPlan,
  dialect: Dialect,
): Statement<typeof sumShape> {
  const bucket = constant(bucketColumns[interval]);
  // DuckDB's sums of integers are HUGEINT; a double holds them exactly up to 2^53.
  const sum = (measure: Measure | undefined) =>
    measure === undefined
      ? sql`cast(0 as double)`
      : sql`cast(sum(${constant(measureColumns[measure])}) as double)`;
  const query = eachPart(rows, dialect, (from) => {
    return sql`select ${bucket}, entity, ${sum(measures[0])}, ${sum(measures[1])}
      from ${from} group by ${bucket}, entity`;
  });
  return { query, shape: sumShape };
}

/** The answers of one provider and region, with the instants of all. */
export const coverageShape = {
  provider: "number",
  region: "number",
  answers: "number",
  firstMs: "number",
  lastMs: "number",
} as const;

/**
 * The answers of each provider and region, and the first and last instant of all; no row when
 * there is no answer.
 */
export function coverageStatement({
  fromDaily,
  instants,
}: Dialect): Statement<typeof coverageShape> {
  return {
    query: sql`select provider, region, answers, first, last from (
        select provider, region, cast(sum(mentioned) as double) as answers
        from ${fromDaily} and entity = 0 group by provider, region
      ) as answered cross join (${instants}) as instants
      order by provider, region`,
    shape: coverageShape,
  };
}

const promptSumsShape = {
  group: "number",
  prompt: "number",
  week: "number",
  entity: "number",
  mentioned: "number",
  cited: "number",
  visible: "number",
  rank: "number",
  first: "number",
  lastMs: "number",
} as const;

/** The columns of what is said of entities, when it is asked for. */
const portrayalShape = {
  read: "number",
  recommended: "number",
  praised: "number",
  criticized: "number",
  discouraged: "number",
  notFound: "number",
} as const satisfies Record<(typeof portrayalMeasures)[number], "number">;

/** Their sums as the last columns of a row; nothing when they are not asked for. */
function portrayalColumns(
  { withPortrayal }: Pick<PromptSumsPlan, "withPortrayal">,
  sumOf: (measure: (typeof portrayalMeasures)[number]) => string,
): Fragment {
  if (!withPortrayal) return sql``;
  const sums = portrayalMeasures.map((measure) => `, cast(${sumOf(measure)} as integer)`);
  return constant(sums.join(""));
}

const sumOfMeasure = (measure: Measure) => `sum(${measureColumns[measure]})`;

/** The shape of rows that end with what is said of entities when it is asked for. */
function withPortrayalShape<Shape extends RowShape>(
  shape: Shape,
  { withPortrayal }: Pick<PromptSumsPlan, "withPortrayal">,
): Shape & Partial<typeof portrayalShape> {
  return withPortrayal ? { ...shape, ...portrayalShape } : shape;
}

/** Provider and region as one number. */
function pairOf(dialect: Dialect): Fragment {
  return dialect.groupedWithPrompt(sql`provider * ${constant(String(pairRegions))} + region`);
}

/** Sums by group, prompt, week and entity, in no order; one more than the plan allows at most. */
export function promptSumsStatement(
  plan: PromptSumsPlan,
  dialect: Dialect,
): Statement<typeof promptSumsShape> {
  const { rows, groupBy, listed, byWeek, rowsMax } = plan;
  const isFiner = groupBy !== null && groupBy !== "prompt";
  const column = groupColumn(groupBy, dialect);
  const group = isFiner ? dialect.groupedWithPrompt(column) : column;
  const entity = listed === null ? sql`entity` : summedEntity(listed, dialect);
  const week = byWeek ? dialect.groupedWithPrompt(sql`week`) : null;
  const sums = eachPart(rows, dialect, (from) => {
    // Counts as integers: in DuckDB's results a double is an object of its own in each row.
    return sql`select ${group} as answers_of, prompt, ${week ?? sql`0`} as of_week,
        ${entity} as summed_entity,
        cast(sum(mentioned) as integer), cast(sum(cited) as integer),
        cast(sum(visible) as integer), cast(sum(rank) as double),
        cast(sum(cast(rank = 1 as integer)) as integer), cast(max(answered_at) as double)
        ${portrayalColumns(plan, sumOfMeasure)}
      from ${from} group by prompt, summed_entity${isFiner ? sql`, answers_of` : sql``}
        ${week === null ? sql`` : sql`, ${week}`}`;
  });
  return { query: limited(sums, rowsMax + 1), shape: withPortrayalShape(promptSumsShape, plan) };
}

const pairSumsShape = {
  group: "number",
  pair: "number",
  entity: "number",
  mentioned: "number",
  cited: "number",
  visible: "number",
  voiced: "number",
  named: "number",
  rank: "number",
} as const;

/** Sums by group, pair and entity, in no order; one more row than the plan allows at most. */
export function pairSumsStatement(
  plan: PairSumsPlan,
  dialect: Dialect,
): Statement<typeof pairSumsShape> {
  const { rows, groupBy, listed, oneSided, rowsMax, withPortrayal } = plan;
  const column = groupColumn(groupBy, dialect);
  const group = dialect.groupedWithPrompt(column);
  const entity = listed === null ? sql`cast(entity as integer)` : summedEntity(listed, dialect);
  const split = splitsPrompts(groupBy) ? column : sql`0`;
  const prompt = sql`(cast(prompt as bigint) * 65536 + ${split})`;
  const isCommon = (key: Fragment, value: readonly bigint[]) =>
    value.length === 0
      ? sql`1`
      : sql`cast(not (${dialect.isAmong(key, { type: "Array(Int64)", value })}) as integer)`;
  const sumOf = (column: string, kind: keyof OneSided) =>
    oneSided[kind].length === 0 ? `sum(${column})` : `sum(${column} * is_${kind})`;
  const sum = (column: string, kind: keyof OneSided) => constant(sumOf(column, kind));
  const named = sql`(${prompt} * 65536 + entity)`;
  const read = sql`, portrayal, ${isCommon(named, oneSided.read)} as is_read`;
  const sums = eachPart(rows, dialect, (from) => {
    return sql`select answers_of, pair, summed_entity,
        cast(${sum("mentioned", "asked")} as integer), cast(${sum("cited", "asked")} as integer),
        cast(${sum("visible", "asked")} as integer), cast(${sum("mentioned", "voiced")} as integer),
        cast(${sum("mentioned", "named")} as integer), cast(${sum("rank", "named")} as double)
        ${portrayalColumns(plan, (measure) => sumOf(measureColumns[measure], "read"))}
      from (
        select ${group} as answers_of, ${pairOf(dialect)} as pair, ${entity} as summed_entity,
          mentioned, cited, visible, rank, ${isCommon(prompt, oneSided.asked)} as is_asked,
          ${isCommon(prompt, oneSided.voiced)} as is_voiced,
          ${isCommon(named, oneSided.named)} as is_named${withPortrayal ? read : sql``}
        from ${from}
      ) as flagged
      group by answers_of, pair, summed_entity`;
  });
  return { query: limited(sums, rowsMax + 1), shape: withPortrayalShape(pairSumsShape, plan) };
}

const daySumsShape = {
  group: "number",
  day: "number",
  entity: "number",
  mentioned: "number",
  cited: "number",
  visible: "number",
  rank: "number",
} as const;

/** Sums by group, day and entity, in no order; see DaySums. One more row than the plan allows. */
export function daySumsStatement(
  plan: DaySumsPlan,
  dialect: Dialect,
): Statement<typeof daySumsShape> {
  const { rows, summed, groupBy, listed, rowsMax } = plan;
  const group = dialect.groupedWithPrompt(groupColumn(groupBy, dialect));
  const entity = listed === null ? sql`cast(entity as integer)` : summedEntity(listed, dialect);
  const sums = eachPart(summed, dialect, (from) => {
    return sql`select ${group} as answers_of, day, ${entity} as summed_entity,
        cast(sum(mentioned) as integer), cast(sum(cited) as integer),
        cast(sum(visible) as integer), cast(sum(rank) as double)
        ${portrayalColumns(plan, sumOfMeasure)}
      from ${from} group by answers_of, day, summed_entity`;
  });
  const prompts = eachPart(rows, dialect, (from) => {
    return sql`select ${group} as answers_of, day, ${constant(String(promptsOfDay))},
        cast(count(distinct prompt) as integer), 0, 0, cast(0 as double)
        ${portrayalColumns(plan, () => "0")}
      from ${from} and entity = 0 group by answers_of, day`;
  });
  return {
    query: limited(sql`${sums} union all ${prompts}`, rowsMax + 1),
    shape: withPortrayalShape(daySumsShape, plan),
  };
}

const languagesShape = {
  group: "number",
  entity: "number",
  language: "number",
  answers: "number",
} as const;

/** Answers that mention each entity, by language, in one row or several, in no order. */
export function languagesStatement(
  { rows, groupBy, listed, rowsMax }: LanguagesPlan,
  dialect: Dialect,
): Statement<typeof languagesShape> {
  const isListed = listed === null ? sql`` : sql` and ${dialect.isEntityAmong(listed)}`;
  const languages = eachPart(rows, dialect, (from) => {
    return sql`select ${groupColumn(groupBy, dialect)} as answers_of, entity, language,
        cast(count(*) as double) as answers
      from ${from} and entity > 0 and mentioned = 1${isListed}
      group by answers_of, entity, language`;
  });
  return { query: limited(languages, rowsMax + 1), shape: languagesShape };
}

/** Whose sums a row adds to: see PromptSums. */
function summedEntity(listed: readonly number[], { isEntityAmong }: Dialect): Fragment {
  const others = constant(String(otherEntities));
  return sql`if(${isEntityAmong([0, ...listed])}, cast(entity as integer), ${others})`;
}

const originsShape = {
  group: "number",
  provider: "number",
  model: "number",
  surface: "number",
  week: "number",
  answers: "number",
  sequence: "number",
} as const;

/** The answers of each origin, in one row or several; one more than the plan allows at most. */
export function originsStatement(
  { rows, groupBy, byWeek, rowsMax }: OriginsPlan,
  dialect: Dialect,
): Statement<typeof originsShape> {
  const origins = eachPart(rows, dialect, (from) => {
    return sql`select ${groupColumn(groupBy, dialect)} as answers_of, provider, model, surface,
        ${byWeek ? sql`week` : sql`0`} as of_week, cast(count(*) as double) as answers,
        cast(max(sequence) as double) as newest
      from ${from} and entity = 0 group by answers_of, provider, model, surface, of_week`;
  });
  return { query: limited(origins, rowsMax + 1), shape: originsShape };
}

const readingsShape = {
  sequence: "number",
  group: "number",
  prompt: "number",
  entity: "number",
  mentioned: "number",
  cited: "number",
  ...portrayalShape,
} as const;

/** What extraction says of those of some answers that pass the filters, in no order. */
export function readingsStatement(
  { rows, groupBy, sequences, entities }: ReadingsPlan,
  dialect: Dialect,
): Statement<typeof readingsShape> {
  const said = joined(
    sql`, `,
    portrayalMeasures.map((measure) => constant(measureColumns[measure])),
  );
  const isWanted = dialect.isAmong(sql`sequence`, { type: "Array(Int64)", value: sequences });
  const query = eachPart(rows, dialect, (from) => {
    return sql`select cast(sequence as double), ${groupColumn(groupBy, dialect)} as answers_of,
        prompt, entity, mentioned, cited, ${said}
      from ${from} and ${isWanted} and ${dialect.isEntityAmong([0, ...entities])}`;
  });
  return { query, shape: readingsShape };
}

/** ClickHouse would limit the last part alone, were they not one table. */
function limited(parts: Fragment, rowsMax: number): Fragment {
  return sql`select * from (${parts}) limit ${{ type: "Int64", value: rowsMax }}`;
}

const sourcePromptsShape = { prompt: "number", counted: "number", sum: "number" } as const;

/** Sums by prompt of answers, citations, and those of some sources; see SourcePromptSum. */
export function sourcePromptsStatement(
  plan: SourceGapsPlan,
  sources: Bound,
  dialect: Dialect,
): Statement<typeof sourcePromptsShape> {
  const answers = eachPart(plan.answers, dialect, (from) => {
    return sql`select prompt, cast(${constant(String(allAnswers))} as double),
        cast(count(*) as double)
      from ${from} and entity = 0 group by prompt`;
  });
  const cited = citationSums(plan, { sources, by: sql`prompt`, where: null }, dialect);
  return { query: joined(sql` union all `, [answers, ...cited]), shape: sourcePromptsShape };
}

const sourcePairsShape = { pair: "number", counted: "number", sum: "number" } as const;

/** Sums by pair of citations and those of some sources, without some prompts. */
export function sourcePairsStatement(
  plan: SourceGapsPlan,
  { sources, without }: { readonly sources: Bound; readonly without: readonly number[] },
  dialect: Dialect,
): Statement<typeof sourcePairsShape> {
  const prompts = { type: "Array(Int32)", value: without } as const;
  const where = without.length === 0 ? null : sql`not (${dialect.isAmong(sql`prompt`, prompts)})`;
  const cited = citationSums(plan, { sources, by: pairOf(dialect), where }, dialect);
  return { query: joined(sql` union all `, cited), shape: sourcePairsShape };
}

/** Sums of citations, and of those of some sources, by something. */
function citationSums(
  { rows, groupBy }: SourceGapsPlan,
  {
    sources,
    by,
    where,
  }: { readonly sources: Bound; readonly by: Fragment; readonly where: Fragment | null },
  dialect: Dialect,
): readonly Fragment[] {
  const column = sourceColumns[groupBy];
  const place = sql`${dialect.placeAmong(sources, column)} - 1`;
  const and = where === null ? sql`` : sql` and ${where}`;
  const counted = (what: Fragment) =>
    sql`select ${by} as counted_by, cast(${what} as double), cast(count(*) as double)`;
  return [
    eachPart(rows, dialect, (from) => {
      return sql`${counted(constant(String(allCitations)))} from ${from}${and} group by ${by}`;
    }),
    eachPart(rows, dialect, (from) => {
      return sql`${counted(place)} from ${from}${and} and ${dialect.isAmong(column, sources)}
        group by ${by}, ${column}`;
    }),
  ];
}

const sourceDaysShape = { day: "number", counted: "number", sum: "number" } as const;

/** Sums by day of prompts, citations, and those of some sources; see SourceDaySum. */
export function sourceDaysStatement(
  plan: SourceGapsPlan,
  sources: Bound,
  dialect: Dialect,
): Statement<typeof sourceDaysShape> {
  const prompts = eachPart(plan.answers, dialect, (from) => {
    return sql`select day, cast(${constant(String(allAnswers))} as double),
        cast(count(distinct prompt) as double)
      from ${from} and entity = 0 group by day`;
  });
  const cited = citationSums(plan, { sources, by: sql`day`, where: null }, dialect);
  return { query: joined(sql` union all `, [prompts, ...cited]), shape: sourceDaysShape };
}

const domainHitsShape = { domain: "text", domains: "number", hits: "number" } as const;

/** Hits by cited domain and by how many they cite; one more row than the plan allows at most. */
export function domainHitsStatement(
  { rows, answers, entity, measure, rowsMax }: DomainHitsPlan,
  dialect: Dialect,
): Statement<typeof domainHitsShape> {
  const hits = eachPart(answers, dialect, (from) => {
    return sql`select sequence from ${from} and entity = ${{ type: "UInt16", value: entity }}
      and ${constant(measureColumns[measure])} = 1`;
  });
  // An answer's domains are one list, which is counted once; names come last, one for each group.
  const cited = eachPart(rows, dialect, (from) => {
    return sql`select ${dialect.distinctOf(sql`domain_number`)} as numbers
      from ${from} and sequence in (${hits}) group by sequence`;
  });
  const shared = sql`select name, cast(domains as double), hits from (
      select number, domains, cast(count(*) as double) as hits from (
        select ${dialect.eachOf(sql`numbers`)} as number, length(numbers) as domains
        from (${cited}) as citing
      ) as each_domain group by number, domains
    ) as shared inner join (${dialect.domainNames}) as named using (number)`;
  return { query: limited(shared, rowsMax + 1), shape: domainHitsShape };
}
