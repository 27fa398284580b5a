import type {
  OriginsPlan,
  PromptSumsPlan,
  SourceGapsPlan,
  StabilityPlan,
} from "../../analytics/insight-plans.ts";
import type { TimeSeriesPlan } from "../../analytics/plan.ts";
import { otherEntities } from "../../analytics/prompt-sums.ts";
import { allAnswers, allCitations } from "../../analytics/source-gaps.ts";
import {
  alikePairsShape,
  originsShape,
  promptSumsShape,
  sourcePromptsShape,
  spreadShape,
} from "../insight-shapes.ts";
import { bucketColumns, groupColumn, measureColumns } from "../question-columns.ts";
import type { CitedNumbers } from "./cited-numbers.ts";
import { where } from "./conditions.ts";
import { type Fragment, joined, type Statement } from "./statement.ts";
import { groupings, pageOf } from "./statements.ts";

/**
 * A column to group by in addition to prompts.
 *
 * TRICKY: the engine counts groups of up to 2^20 combinations of integers in arrays (see
 * openInstance), also if nearly all are empty, which takes ten times as long as a hash table. For a
 * double it has no array.
 */
function hashed(column: string): string {
  return `cast(${column} as double)`;
}

/** Whose sums a row adds to: see PromptSums. */
function summedEntity(listed: PromptSumsPlan["listed"]): Fragment {
  if (listed === null) return { sql: "entity", values: [] };
  return {
    sql: `if(list_contains(cast(? as integer[]), entity), cast(entity as integer),
      ${otherEntities})`,
    values: [{ type: "integers", value: [0, ...listed] }],
  };
}

/** Sums by group, prompt and entity, in no order; one more row than the plan allows at most. */
export function promptSumsStatement(plan: PromptSumsPlan): Statement<typeof promptSumsShape> {
  const { rows, groupBy, listed, rowsMax } = plan;
  const isFiner = groupBy !== null && groupBy !== "prompt";
  const group = isFiner ? hashed(groupColumn(groupBy)) : groupColumn(groupBy);
  const entity = summedEntity(listed);
  const { sql, values } = eachPart(rows, (conditions) => ({
    // Counts as integers: a double would be an object of its own in each row.
    sql: `select ${group}, prompt, ${entity.sql} as summed_entity,
        cast(sum(mentioned) as integer), cast(sum(cited) as integer),
        cast(sum(visible) as integer), cast(sum(rank) as double),
        cast(count_if(rank = 1) as integer), cast(max(answered_at) as double)
      from appearances where ${conditions.sql}
      group by prompt, summed_entity${isFiner ? `, ${group}` : ""}`,
    values: [...entity.values, ...conditions.values],
  }));
  return {
    sql: `${sql} limit ?`,
    values: [...values, { type: "integer", value: rowsMax + 1 }],
    shape: promptSumsShape,
  };
}

/**
 * Sums by bucket and entity, in no order, with those of squares and products over prompts. What a
 * rate is divided by are the prompt's answers, which entity 0 counts: to count them again takes a
 * third of the time of joining the sums with themselves.
 */
export function spreadStatement(plan: TimeSeriesPlan): Statement<typeof spreadShape> {
  const { rows, measures, interval } = plan;
  const [numerator, denominator] = measures;
  const bucket = hashed(bucketColumns[interval]);
  const sum = (measure: typeof numerator) =>
    measure === undefined ? "0" : `cast(sum(${measureColumns[measure]}) as bigint)`;
  const sums = eachPart(rows, ({ sql, values }) => ({
    sql: `select ${bucket} as bucket, prompt, entity, ${sum(numerator)} as a,
        ${sum(denominator)} as b
      from appearances where ${sql} group by ${bucket}, prompt, entity`,
    values,
  }));
  if (denominator !== undefined) {
    const sql = `select bucket, entity, ${spreadSums("b")} from (${sums.sql})
      group by bucket, entity`;
    return { sql, values: sums.values, shape: spreadShape };
  }
  const answers = eachPart(rows, ({ sql, values }) => ({
    sql: `select ${bucket} as bucket, prompt, count(*) as answers from appearances
      where ${sql} and entity = 0 group by ${bucket}, prompt`,
    values,
  }));
  return {
    sql: `select bucket, entity, ${spreadSums("answers")}
      from (${sums.sql}) join (${answers.sql}) using (bucket, prompt) group by bucket, entity`,
    values: [...sums.values, ...answers.values],
    shape: spreadShape,
  };
}

/** The columns of spreadShape after the first two. */
function spreadSums(divisor: "answers" | "b"): string {
  return ["count(*)", "sum(a)", "sum(b)", "sum(a * a)"]
    .concat([`sum(${divisor} * ${divisor})`, `sum(a * ${divisor})`])
    .map((column) => `cast(${column} as double)`)
    .join(", ");
}

const gapsShape = {
  total: "number",
  allCitations: "number",
  number: "number or null",
  source: "text or null",
  citations: "number or null",
  answers: "number or null",
  withBrand: "number or null",
  withBrandOnly: "number or null",
  withCompetitorOnly: "number or null",
} as const;

/** The sources of a page, in order, with the answers that cite each; see sourcesStatement. */
export function sourceGapsStatement(
  plan: SourceGapsPlan,
  listed: CitedNumbers | null,
): Statement<typeof gapsShape> {
  const { rows, answers, groupBy } = plan;
  const { number } = groupings[groupBy];
  const page = pageOf(plan, listed);
  const cited = eachPart(rows, (conditions) => ({
    sql: `select distinct ${number} as number, sequence from citations
      where ${conditions.sql} and ${number} in (select number from page)`,
    values: conditions.values,
  }));
  const seen = eachPart(answers, (conditions) => ({
    sql: `select sequence, max(entity = 1) as has_brand, max(entity > 1) as has_competitor
      from appearances where ${conditions.sql} and entity > 0 and visible = 1 group by sequence`,
    values: conditions.values,
  }));
  const counts = ["true", "has_brand", "has_brand and not has_competitor"]
    .concat("has_competitor and not has_brand")
    .map((condition) => `cast(count_if(${condition}) as double)`);
  return {
    sql: `${page.sql}, citing as (${cited.sql}), seen as (${seen.sql}), gaps as (
        select number, ${counts[0]} as answers, ${counts[1]} as with_brand,
          ${counts[2]} as with_brand_only, ${counts[3]} as with_competitor_only
        from citing left join seen using (sequence) group by number
      )
      select total, all_citations, cast(number as double), name, citations, answers, with_brand,
        with_brand_only, with_competitor_only
      from totals left join (page join gaps using (number)) on true
      order by citations desc, name`,
    values: [...page.values, ...cited.values, ...seen.values],
    shape: gapsShape,
  };
}

/** Sums by prompt of answers, citations, and those of some sources; see SourcePromptSum. */
export function sourcePromptsStatement(
  { rows, answers, groupBy }: SourceGapsPlan,
  numbers: readonly number[],
): Statement<typeof sourcePromptsShape> {
  const { number } = groupings[groupBy];
  const list = { type: "integers", value: numbers } as const;
  const all = [
    eachPart(answers, ({ sql, values }) => ({
      sql: `select prompt, ${allAnswers}, cast(count(*) as double) from appearances
        where ${sql} and entity = 0 group by prompt`,
      values,
    })),
    eachPart(rows, ({ sql, values }) => ({
      sql: `select prompt, ${allCitations}, cast(count(*) as double) from citations
        where ${sql} group by prompt`,
      values,
    })),
    eachPart(rows, ({ sql, values }) => ({
      sql: `select prompt, cast(list_position(?, ${number}) - 1 as double), cast(count(*) as double)
        from citations where ${sql} and ${number} in (select unnest(?)) group by prompt, ${number}`,
      values: [list, ...values, list],
    })),
  ];
  return { ...joined(" union all ", all), shape: sourcePromptsShape };
}

/** Each origin of a group at least once; one more row than the plan allows at most. */
export function originsStatement(plan: OriginsPlan): Statement<typeof originsShape> {
  const group = groupColumn(plan.groupBy);
  const { sql, values } = eachPart(plan.rows, (conditions) => ({
    sql: `select distinct ${group}, provider, model, surface from appearances
      where ${conditions.sql} and entity = 0`,
    values: conditions.values,
  }));
  return {
    sql: `${sql} limit ?`,
    values: [...values, { type: "integer", value: plan.rowsMax + 1 }],
    shape: originsShape,
  };
}

/** Pairs of consecutive answers by how alike they are, those without any citation left out. */
export function stabilityStatement(plan: StabilityPlan): Statement<typeof alikePairsShape> {
  const group = groupColumn(plan.groupBy);
  const answers = eachPart(plan.answers, ({ sql, values }) => ({
    sql: `select sequence, answered_at, prompt, provider, region, ${group} as answers_of
      from appearances where ${sql} and entity = 0`,
    values,
  }));
  const cited = eachPart(plan.rows, ({ sql, values }) => ({
    sql: `select distinct sequence, domain_number from citations where ${sql}`,
    values,
  }));
  return {
    sql: `with pairs as (
        select * from (
          select answers_of, sequence, lag(sequence) over (
            partition by prompt, provider, region order by answered_at, sequence
          ) as previous from (${answers.sql})
        ) where previous is not null
      ), cited as materialized (${cited.sql}), sizes as materialized (
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
    values: [...answers.values, ...cited.values],
    shape: alikePairsShape,
  };
}

function eachPart(
  rows: SourceGapsPlan["rows"],
  statement: (conditions: Fragment) => Fragment,
): Fragment {
  return joined(
    " union all ",
    rows.parts.map((part) => statement(where(part, rows))),
  );
}
