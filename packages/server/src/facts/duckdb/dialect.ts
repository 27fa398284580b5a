import {
  constant,
  type Fragment,
  joined,
  type ScalarType,
  type Statement,
  sql,
} from "../../platform/sql.ts";
import { bucketColumns, measureColumns } from "../columns.ts";
import type { SourceGapsPlan } from "../plan/gap-plans.ts";
import type { StabilityPlan } from "../plan/insight-plans.ts";
import type { MeasurementPlan } from "../plan/measurement-plan.ts";
import type {
  FilterColumn,
  Measure,
  PlanPart,
  RowSelection,
  SourcesPlan,
  TimeSeriesPlan,
} from "../plan/plan.ts";
import type { CitedSource } from "../plan/question.ts";
import {
  alikePairsShape,
  type CitedNumbers,
  type Dialect,
  eachPart,
  groupColumn,
  pageShape,
  retestPairsShape,
  sourceColumns,
  spreadShape,
} from "../statements/dialect.ts";
import { answerCount, gapColumns, gapSums, gapsShape, rankOf } from "../statements/gaps.ts";

/**
 * Values are bound with their column's own type: an integer would have the engine widen the column
 * instead, row by row, which takes a fifth more time.
 */
const filterTypes = {
  provider: "UInt8",
  topic: "Int32",
  prompt: "Int32",
  region: "Int16",
  branded: "UInt8",
  model: "Int32",
  surface: "UInt8",
} as const satisfies Readonly<Record<FilterColumn, ScalarType>>;

/** Up to so many alternatives are compared one by one; more are a list that is joined. */
const inlineValuesMax = 5;

/** A part's table and the conditions on its rows. */
function from(part: PlanPart, { conditions }: RowSelection): Fragment {
  const all = joined(sql` and `, [range(part), ...conditions.map(condition)]);
  return sql`${constant(part.table)} where ${all}`;
}

function range({ by, from, to }: PlanPart): Fragment {
  const type = by === "day" ? "Int32" : "Int64";
  const column = constant(by);
  return sql`${column} >= ${{ type, value: from }} and ${column} < ${{ type, value: to }}`;
}

function condition({ column, values, isExcluded }: RowSelection["conditions"][number]): Fragment {
  const name = isExcluded ? sql`${constant(column)} not` : constant(column);
  if (values.length > inlineValuesMax) {
    return sql`${name} in (select unnest(${{ type: "Array(Int32)", value: values }}))`;
  }
  const type = filterTypes[column];
  const alternatives = values.map((value) => sql`${{ type, value }}`);
  return sql`${name} in (${joined(sql`, `, alternatives)})`;
}

/** How DuckDB is asked. */
export const duckdbDialect: Dialect = {
  from,
  fromDaily: sql`daily where true`,
  fromUnanswered: sql`unanswered where true`,
  fromWords: sql`words where true`,
  // Nothing is bound, so that it is planned again each time: see run-statement.
  instants: sql`select cast(min(answered_at) as double) as first,
    cast(max(answered_at) as double) as last from appearances`,
  domainNames: sql`select number, name from domains`,
  urlNames: sql`select number, name from urls`,
  previousOf: (column, { partition, order, unless }) =>
    sql`lag(${column}, 1, ${constant(String(unless))})
      over (partition by ${partition} order by ${order})`,
  nextOf: (column, { partition, order, unless }) =>
    sql`lead(${column}, 1, ${constant(String(unless))})
      over (partition by ${partition} order by ${order})`,
  matches: (text, pattern) => sql`regexp_matches(${text}, ${pattern})`,
  groupedWithPrompt: hashed,
  isEntityAmong: (entities) =>
    sql`list_contains(cast(${{ type: "Array(Int32)", value: entities }} as integer[]), entity)`,
  isAmong: (column, sources) => sql`${column} in (select unnest(${sources}))`,
  placeAmong: (sources, column) => sql`list_position(${sources}, ${column})`,
  numberAt: (list, place) => sql`list_extract(${list}, ${place})`,
  hashOf: (text, number) => sql`sha256(concat(${text}, cast(${number} as varchar)))`,
  distinctOf: (column) => sql`list(distinct ${column})`,
  eachOf: (list) => sql`unnest(${list})`,
  spread: spreadStatement,
  stability: stabilityStatement,
  retests: retestsStatement,
  sources: sourcesStatement,
};

/**
 * TRICKY: the engine counts groups of up to 2^20 combinations of integers in arrays (see
 * openInstance), also if nearly all are empty, which takes ten times as long as a hash table. For a
 * double it has no array.
 */
function hashed(column: Fragment): Fragment {
  return sql`cast(${column} as double)`;
}

/**
 * What a rate is divided by are the prompt's answers, which entity 0 counts: to count them again
 * takes a third of the time of joining the sums with themselves.
 */
function spreadStatement(plan: TimeSeriesPlan): Statement<typeof spreadShape> {
  const { rows, measures, interval } = plan;
  const [numerator, denominator] = measures;
  const bucket = hashed(constant(bucketColumns[interval]));
  const sum = (measure: Measure | undefined) =>
    measure === undefined ? sql`0` : sql`cast(sum(${constant(measureColumns[measure])}) as bigint)`;
  const sums = eachPart(rows, { from }, (of) => {
    return sql`select ${bucket} as bucket, prompt, entity, ${sum(numerator)} as a,
        ${sum(denominator)} as b
      from ${of} group by ${bucket}, prompt, entity`;
  });
  if (denominator !== undefined) {
    const query = sql`select bucket, entity, ${spreadSums("b")} from (${sums})
      group by bucket, entity`;
    return { query, shape: spreadShape };
  }
  const answers = eachPart(rows, { from }, (of) => {
    return sql`select ${bucket} as bucket, prompt, count(*) as answers
      from ${of} and entity = 0 group by ${bucket}, prompt`;
  });
  return {
    query: sql`select bucket, entity, ${spreadSums("answers")}
      from (${sums}) join (${answers}) using (bucket, prompt) group by bucket, entity`,
    shape: spreadShape,
  };
}

/** The columns of spreadShape after the first two. */
function spreadSums(divisor: "answers" | "b"): Fragment {
  const columns = [`count(*) filter (where ${divisor} > 0)`, "sum(a)", "sum(b)", "sum(a * a)"]
    .concat([`sum(${divisor} * ${divisor})`, `sum(a * ${divisor})`])
    .map((column) => `cast(${column} as double)`);
  return constant(columns.join(", "));
}

function stabilityStatement(plan: StabilityPlan): Statement<typeof alikePairsShape> {
  const group = groupColumn(plan.groupBy, duckdbDialect);
  const answers = eachPart(plan.answers, { from }, (of) => {
    return sql`select sequence, answered_at, prompt, provider, region, ${group} as answers_of
      from ${of} and entity = 0`;
  });
  const cited = eachPart(plan.rows, { from }, (of) => {
    return sql`select distinct sequence, domain_number from ${of}`;
  });
  return {
    query: sql`with pairs as (
        select * from (
          select answers_of, sequence, lag(sequence) over (
            partition by prompt, provider, region, answers_of order by answered_at, sequence
          ) as previous from (${answers})
        ) where previous is not null
      ), cited as materialized (${cited}), sizes as materialized (
        select sequence, count(*) as domains from cited group by sequence
      ), alike as (
        select pairs.sequence, count(*) as shared
        from pairs join cited using (sequence)
        join cited as others
          on others.sequence = pairs.previous and others.domain_number = cited.domain_number
        group by pairs.sequence
      )
      select answers_of, cast(coalesce(shared, 0) as double) as both_cite,
        cast(coalesce(own.domains, 0) + coalesce(other.domains, 0) - both_cite as double) as
        either_cites, cast(count(*) as double)
      from pairs left join alike using (sequence)
      left join sizes as own using (sequence)
      left join sizes as other on other.sequence = pairs.previous
      where own.domains is not null or other.domains is not null
      group by all`,
    shape: alikePairsShape,
  };
}

/**
 * The entities that an answer mentions are a bit each: lists take twice the time. The first is the
 * answer itself, which mentions itself, so that every answer has rows.
 */
function retestsStatement({ rows, entities }: MeasurementPlan): Statement<typeof retestPairsShape> {
  const last = constant(String(Math.max(1, entities)));
  const answered = eachPart(rows, { from }, (of) => {
    return sql`select sequence, answered_at, day, prompt, provider, region,
        bitstring_agg(entity, 0, ${last}) as own
      from ${of} and mentioned = 1 group by all`;
  });
  return {
    query: sql`with answered as (${answered}), pairs as (
        select own, lag(own) over consecutive as previous,
          day - lag(day) over consecutive as days_apart
        from answered
        window consecutive as (
          partition by prompt, provider, region order by answered_at, sequence
        )
      )
      select days_apart, cast(get_bit(own, 1) <> get_bit(previous, 1) as integer) as brand,
        cast(bit_count(own & previous) - 1 as double) as both_mention,
        cast(bit_count(own | previous) - 1 as double) as either_mentions, cast(count(*) as double)
      from pairs where previous is not null
      group by days_apart, brand, both_mention, either_mentions`,
    shape: retestPairsShape,
  };
}

const numbersShape = { domain: "number or null", url: "number or null" } as const;

/** The numbers of a source's names; null: there is no such name. */
export function numbersStatement({ domain, url }: CitedSource): Statement<typeof numbersShape> {
  const numberOf = (names: Fragment, name: string | null) =>
    sql`(select cast(min(number) as double) from ${names}
      where name = ${{ type: "String", value: name ?? "" }})`;
  const query = sql`select ${numberOf(sql`domains`, domain)}, ${numberOf(sql`urls`, url)}`;
  return { query, shape: numbersShape };
}

/** The sources of a page, in order; one row without a source when the page is empty. */
function sourcesStatement(plan: SourcesPlan): Statement<typeof pageShape> {
  return {
    query: sql`${pageOf(plan)}
      select total, all_citations, name, citations
      from totals left join page on true order by citations desc, name`,
    shape: pageShape,
  };
}

const numberedShape = { ...gapsShape, number: "number or null" } as const;

/** The sources of a page with their gaps, in order; one row without a source when it is empty. */
export function gapsStatement(
  plan: SourceGapsPlan,
  listed: CitedNumbers | null,
  dialect: Dialect,
): Statement<typeof numberedShape> {
  const { groupBy, limit, offset } = plan;
  const last = Math.min(offset + limit, Number.MAX_SAFE_INTEGER);
  const sum = (column: string) => sql`coalesce(sum(${constant(column)}), 0)`;
  return {
    query: sql`with sources as materialized (${gapSums(plan, listed, dialect)}), totals as (
        select cast(count(*) filter (where listed = 1) as double) as total,
          ${sum("citations")} as all_citations, ${answerCount(plan, dialect)} as all_answers,
          ${sum("answers")} as all_citing, ${sum("with_competitor_only")} as all_gaps
        from sources
      ), ranked as materialized (
        select number, ${rankOf(plan)} as ranked_by, ${gapColumns}
        from sources cross join totals where listed = 1
      ), first as (
        select ranked_by from ranked
        order by ranked_by desc limit ${{ type: "Int64", value: last }}
      ), page as (
        select number, name, ranked_by, ${gapColumns}
        from ranked join ${constant(`${groupBy}s`)} using (number)
        where ranked_by >= (select min(ranked_by) from first)
        order by ranked_by desc, citations desc, name
        limit ${{ type: "Int64", value: limit }} offset ${{ type: "Int64", value: offset }}
      )
      select total, all_citations, all_answers, all_citing, all_gaps, name, ${gapColumns},
        cast(number as double)
      from totals left join page on true order by ranked_by desc, citations desc, name`,
    shape: numberedShape,
  };
}

/** The tables `totals` and `page`, as the first part of a statement. */
function pageOf(plan: SourcesPlan): Fragment {
  const { groupBy, limit, offset } = plan;
  const last = Math.min(offset + limit, Number.MAX_SAFE_INTEGER);
  // Names are looked up for those alone that can be on the page or before it.
  return sql`with counted as materialized (${cited(plan)}), totals as (
      select cast(count(*) as double) as total,
        cast(coalesce(sum(citations), 0) as double) as all_citations from counted
    ), first as (
      select citations from counted
      order by citations desc limit ${{ type: "Int64", value: last }}
    ), page as (
      select number, name, cast(citations as double) as citations
      from counted join ${constant(`${groupBy}s`)} using (number)
      where citations >= (select min(citations) from first)
      order by citations desc, name
      limit ${{ type: "Int64", value: limit }} offset ${{ type: "Int64", value: offset }}
    )`;
}

/** Rows of (number, citations), each source of the plan once. */
function cited({ rows, groupBy }: SourcesPlan): Fragment {
  const number = sourceColumns[groupBy];
  const parts = eachPart(rows, { from }, (of, { table }) => {
    const count = table === "citations" ? sql`count(*)` : sql`cast(sum(citations) as bigint)`;
    return sql`select ${number} as number, ${count} as citations from ${of} group by ${number}`;
  });
  if (rows.parts.length === 1) return parts;
  return sql`select number, cast(sum(citations) as bigint) as citations
    from (${parts}) group by number`;
}
