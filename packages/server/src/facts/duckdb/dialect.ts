import { constant, type Fragment, type Statement, sql } from "../../platform/sql.ts";
import type { StabilityPlan } from "../plan/insight-plans.ts";
import type { Measure } from "../plan/metric-definitions.ts";
import type { TimeSeriesPlan } from "../plan/plan.ts";
import { bucketColumns, groupColumn, measureColumns } from "../question-columns.ts";
import { alikePairsShape, type Dialect, eachPart, spreadShape } from "../statements/dialect.ts";
import { from } from "./conditions.ts";
import { sourcesStatement } from "./source-statements.ts";

/** How DuckDB is asked. */
export const duckdbDialect: Dialect = {
  from,
  fromDaily: sql`daily where true`,
  // Nothing is bound, so that it is planned again each time: see run-statement.
  instants: sql`select cast(min(answered_at) as double) as first,
    cast(max(answered_at) as double) as last from appearances`,
  groupedWithPrompt: hashed,
  isEntityAmong: (entities) =>
    sql`list_contains(cast(${{ type: "Array(Int32)", value: entities }} as integer[]), entity)`,
  isSourceAmong: (column, sources) => sql`${column} in (select unnest(${sources}))`,
  placeAmong: (sources, column) => sql`list_position(${sources}, ${column})`,
  spread: spreadStatement,
  stability: stabilityStatement,
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
  const columns = ["count(*)", "sum(a)", "sum(b)", "sum(a * a)"]
    .concat([`sum(${divisor} * ${divisor})`, `sum(a * ${divisor})`])
    .map((column) => `cast(${column} as double)`);
  return constant(columns.join(", "));
}

function stabilityStatement(plan: StabilityPlan): Statement<typeof alikePairsShape> {
  const group = constant(groupColumn(plan.groupBy));
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
            partition by prompt, provider, region order by answered_at, sequence
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
