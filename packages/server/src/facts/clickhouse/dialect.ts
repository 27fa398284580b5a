import { constant, type Statement, sql } from "../../platform/sql.ts";
import type { StabilityPlan } from "../plan/insight-plans.ts";
import type { TimeSeriesPlan } from "../plan/plan.ts";
import { bucketColumns, groupColumn, measureColumns } from "../question-columns.ts";
import { alikePairsShape, type Dialect, eachPart, spreadShape } from "../statements/dialect.ts";
import { from as fromCounted, rollupRows } from "./conditions.ts";
import type { GenerationState } from "./generation-rows.ts";
import { sourcesStatement } from "./source-statements.ts";

/** How ClickHouse is asked for the rows of a generation that count. */
export function clickhouseDialect(counted: GenerationState): Dialect {
  const from: From = (part, rows) => fromCounted(part, rows, counted);
  const instant = (value: number | null) =>
    sql`cast(${{ type: "Int64", value: value ?? 0 }} as double)`;
  return {
    from,
    fromDaily: sql`daily where ${rollupRows(counted)}`,
    instants: sql`select ${instant(counted.firstMs)} as first, ${instant(counted.lastMs)} as last`,
    groupedWithPrompt: (column) => column,
    isEntityAmong: (entities) => sql`has(${{ type: "Array(UInt16)", value: entities }}, entity)`,
    isSourceAmong: (column, sources) => sql`${column} in ${sources}`,
    placeAmong: (sources, column) => sql`toInt64(indexOf(${sources}, ${column}))`,
    spread: (plan) => spreadStatement(plan, from),
    stability: (plan) => stabilityStatement(plan, from),
    sources: (plan) => sourcesStatement(plan, counted),
  };
}

type From = Dialect["from"];

/**
 * Sums by bucket and entity, in no order, with those of squares and products over prompts.
 *
 * TRICKY: ClickHouse computes a common table expression again wherever it is named, so that the
 * answers of a prompt, which entity 0 counts, come beside its entities from one grouping.
 */
function spreadStatement(plan: TimeSeriesPlan, from: From): Statement<typeof spreadShape> {
  const { rows, measures, interval } = plan;
  const [numerator, denominator] = measures;
  const sum = (measure: typeof numerator) =>
    measure === undefined ? sql`toUInt64(0)` : sql`sum(${constant(measureColumns[measure])})`;
  const byPrompt = eachPart(rows, { from }, (of) => {
    return sql`select ${constant(bucketColumns[interval])} as bucket, prompt, entity,
        ${sum(numerator)} as a, ${sum(denominator)} as b
      from ${of} group by bucket, prompt, entity`;
  });
  if (denominator !== undefined) {
    return {
      query: sql`select bucket, entity, count(), sum(a), sum(b), sum(a * a), sum(b * b), sum(a * b)
        from (${byPrompt}) group by bucket, entity`,
      shape: spreadShape,
    };
  }
  return {
    query: sql`select bucket, each.1, count(), sum(each.2), 0, sum(each.2 * each.2),
        sum(answers * answers), sum(each.2 * answers)
      from (
        select bucket, prompt, sumIf(a, entity = 0) as answers,
          groupArray((entity, a)) as entities
        from (${byPrompt}) group by bucket, prompt
      ) array join entities as each
      group by bucket, each.1`,
    shape: spreadShape,
  };
}

function stabilityStatement(plan: StabilityPlan, from: From): Statement<typeof alikePairsShape> {
  const answers = eachPart(plan.answers, { from }, (of) => {
    return sql`select sequence, answered_at, prompt, provider, region,
        ${constant(groupColumn(plan.groupBy))} as answers_of
      from ${of} and entity = 0`;
  });
  const cited = eachPart(plan.rows, { from }, (of) => {
    return sql`select sequence, groupUniqArray(domain_number) as domains
      from ${of} group by sequence`;
  });
  return {
    query: sql`select answers_of, length(arrayIntersect(domains, previous)) as both_cite,
        length(domains) + length(previous) - both_cite as either_cites, count()
      from (
        select answers_of, domains, lagInFrame(domains) over consecutive as previous,
          row_number() over consecutive as place
        from (${answers}) as answers left join (${cited}) as cited using (sequence)
        window consecutive as (
          partition by prompt, provider, region order by answered_at, sequence
          rows between unbounded preceding and current row
        )
      )
      where place > 1 and length(domains) + length(previous) > 0
      group by answers_of, both_cite, either_cites`,
    shape: alikePairsShape,
  };
}
