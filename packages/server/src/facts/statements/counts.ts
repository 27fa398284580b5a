import {
  type Bound,
  constant,
  type Fragment,
  joined,
  type Statement,
  sql,
} from "../../platform/sql.ts";
import { bucketColumns, groupColumn, measureColumns } from "../columns.ts";
import {
  allAnswers,
  allCitations,
  type OriginsPlan,
  otherEntities,
  type PromptSumsPlan,
  type SourceGapsPlan,
} from "../plan/insight-plans.ts";
import type { Measure, TimeSeriesPlan } from "../plan/plan.ts";
import { type Dialect, eachPart, sourceColumns } from "./dialect.ts";

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
  entity: "number",
  mentioned: "number",
  cited: "number",
  visible: "number",
  rank: "number",
  first: "number",
  lastMs: "number",
} as const;

/** Sums by group, prompt and entity, in no order; one more row than the plan allows at most. */
export function promptSumsStatement(
  { rows, groupBy, listed, rowsMax }: PromptSumsPlan,
  dialect: Dialect,
): Statement<typeof promptSumsShape> {
  const isFiner = groupBy !== null && groupBy !== "prompt";
  const column = constant(groupColumn(groupBy));
  const group = isFiner ? dialect.groupedWithPrompt(column) : column;
  const entity = listed === null ? sql`entity` : summedEntity(listed, dialect);
  const sums = eachPart(rows, dialect, (from) => {
    // Counts as integers: in DuckDB's results a double is an object of its own in each row.
    return sql`select ${group} as answers_of, prompt, ${entity} as summed_entity,
        cast(sum(mentioned) as integer), cast(sum(cited) as integer),
        cast(sum(visible) as integer), cast(sum(rank) as double),
        cast(sum(cast(rank = 1 as integer)) as integer), cast(max(answered_at) as double)
      from ${from} group by prompt, summed_entity${isFiner ? sql`, ${group}` : sql``}`;
  });
  return { query: limited(sums, rowsMax + 1), shape: promptSumsShape };
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
} as const;

/** Each origin of a group at least once; one more row than the plan allows at most. */
export function originsStatement(
  { rows, groupBy, rowsMax }: OriginsPlan,
  dialect: Dialect,
): Statement<typeof originsShape> {
  const origins = eachPart(rows, dialect, (from) => {
    return sql`select distinct ${constant(groupColumn(groupBy))} as answers_of, provider, model,
        surface
      from ${from} and entity = 0`;
  });
  return { query: limited(origins, rowsMax + 1), shape: originsShape };
}

/** ClickHouse would limit the last part alone, were they not one table. */
function limited(parts: Fragment, rowsMax: number): Fragment {
  return sql`select * from (${parts}) limit ${{ type: "Int64", value: rowsMax }}`;
}

const sourcePromptsShape = { prompt: "number", counted: "number", sum: "number" } as const;

/** Sums by prompt of answers, citations, and those of some sources; see SourcePromptSum. */
export function sourcePromptsStatement(
  { rows, answers, groupBy }: SourceGapsPlan,
  sources: Bound,
  dialect: Dialect,
): Statement<typeof sourcePromptsShape> {
  const column = sourceColumns[groupBy];
  const place = sql`${dialect.placeAmong(sources, column)} - 1`;
  const counted = (what: Fragment) => {
    return sql`select prompt, cast(${what} as double), cast(count(*) as double)`;
  };
  const parts = [
    eachPart(answers, dialect, (from) => {
      return sql`${counted(constant(String(allAnswers)))}
        from ${from} and entity = 0 group by prompt`;
    }),
    eachPart(rows, dialect, (from) => {
      return sql`${counted(constant(String(allCitations)))} from ${from} group by prompt`;
    }),
    eachPart(rows, dialect, (from) => {
      return sql`${counted(place)} from ${from} and ${dialect.isSourceAmong(column, sources)}
        group by prompt, ${column}`;
    }),
  ];
  return { query: joined(sql` union all `, parts), shape: sourcePromptsShape };
}

/** Rows of (number, answers, with_brand, with_brand_only, with_competitor_only) of some sources. */
export function gapsOf(
  { rows, answers, groupBy }: SourceGapsPlan,
  isListed: Fragment,
  dialect: Dialect,
): Fragment {
  const cited = eachPart(rows, dialect, (from) => {
    return sql`select distinct ${sourceColumns[groupBy]} as number, sequence
      from ${from} and ${isListed}`;
  });
  const seen = eachPart(answers, dialect, (from) => {
    return sql`select sequence, max(entity = 1) as has_brand, max(entity > 1) as has_competitor
      from ${from} and entity > 0 and visible = 1 group by sequence`;
  });
  const count = (condition: Fragment) => {
    return sql`cast(count(*) filter (where ${condition}) as double)`;
  };
  return sql`select number, cast(count(*) as double) as answers,
      ${count(sql`has_brand`)} as with_brand,
      ${count(sql`has_brand and not has_competitor`)} as with_brand_only,
      ${count(sql`has_competitor and not has_brand`)} as with_competitor_only
    from (${cited}) as citing left join (${seen}) as seen using (sequence)
    group by number`;
}
