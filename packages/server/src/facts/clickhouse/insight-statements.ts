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
  constant,
  type Fragment,
  joined,
  type Statement,
  sql,
} from "../../platform/clickhouse/statement.ts";
import {
  alikePairsShape,
  originsShape,
  promptSumsShape,
  sourcePromptsShape,
  spreadShape,
} from "../insight-shapes.ts";
import { bucketColumns, groupColumn, measureColumns } from "../question-columns.ts";
import { type Counted, where } from "./conditions.ts";
import { groupings, tableOf } from "./statements.ts";

/** Whose sums a row adds to: see PromptSums. */
function summedEntity(listed: PromptSumsPlan["listed"]): Fragment {
  if (listed === null) return sql`entity`;
  const list = { type: "Array(UInt16)", value: [0, ...listed] } as const;
  const others = constant(String(otherEntities));
  return sql`if(has(${list}, entity), toInt32(entity), ${others})`;
}

/** Sums by group, prompt and entity, in no order; one more row than the plan allows at most. */
export function promptSumsStatement(
  plan: PromptSumsPlan,
  counted: Counted,
): Statement<typeof promptSumsShape> {
  const { rows, groupBy, listed, rowsMax } = plan;
  const group = constant(groupColumn(groupBy));
  const entity = summedEntity(listed);
  const finer = groupBy === null || groupBy === "prompt" ? sql`` : sql`, ${group}`;
  const sums = eachPart(rows, counted, (from) => {
    return sql`select ${group} as answers_of, prompt, ${entity} as summed_entity, sum(mentioned),
        sum(cited), sum(visible), sum(rank), countIf(rank = 1), max(answered_at)
      from ${from} group by prompt, summed_entity${finer}`;
  });
  const most = { type: "UInt64", value: rowsMax + 1 } as const;
  return { query: sql`select * from (${sums}) limit ${most}`, shape: promptSumsShape };
}

/**
 * Sums by bucket and entity, in no order, with those of squares and products over prompts.
 *
 * TRICKY: ClickHouse computes a common table expression again wherever it is named, so that the
 * answers of a prompt, which entity 0 counts, come beside its entities from one grouping.
 */
export function spreadStatement(
  plan: TimeSeriesPlan,
  counted: Counted,
): Statement<typeof spreadShape> {
  const { rows, measures, interval } = plan;
  const [numerator, denominator] = measures;
  const sum = (measure: typeof numerator) =>
    measure === undefined ? sql`toUInt64(0)` : sql`sum(${constant(measureColumns[measure])})`;
  const byPrompt = eachPart(rows, counted, (from) => {
    return sql`select ${constant(bucketColumns[interval])} as bucket, prompt, entity,
        ${sum(numerator)} as a, ${sum(denominator)} as b
      from ${from} group by bucket, prompt, entity`;
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

/** Sources of a page: their numbers, as ClickHouse reads them, and the table's column of them. */
interface PageSources {
  readonly column: Fragment;
  readonly list: { readonly type: "Array(UInt64)"; readonly value: readonly bigint[] };
}

function pageSources({ groupBy }: SourceGapsPlan, numbers: readonly bigint[]): PageSources {
  const list = { type: "Array(UInt64)", value: numbers } as const;
  return { column: groupings[groupBy].number, list };
}

const gapsShape = {
  place: "number",
  answers: "number",
  withBrand: "number",
  withBrandOnly: "number",
  withCompetitorOnly: "number",
} as const;

/** The answers that cite each of some sources, by the sources' places in the list. */
export function gapsStatement(
  plan: SourceGapsPlan,
  numbers: readonly bigint[],
  counted: Counted,
): Statement<typeof gapsShape> {
  const { column, list } = pageSources(plan, numbers);
  const cited = eachPart(plan.rows, counted, (from) => {
    return sql`select distinct ${column} as number, sequence from ${from} and ${column} in ${list}`;
  });
  const seen = eachPart(plan.answers, counted, (from) => {
    return sql`select sequence, max(entity = 1) as has_brand, max(entity > 1) as has_competitor
      from ${from} and entity > 0 and visible = 1 group by sequence`;
  });
  return {
    query: sql`select indexOf(${list}, number) - 1, count(), countIf(has_brand = 1),
        countIf(has_brand = 1 and has_competitor = 0),
        countIf(has_brand = 0 and has_competitor = 1)
      from (${cited}) as citing left join (${seen}) as seen using (sequence)
      group by number`,
    shape: gapsShape,
  };
}

/** Sums by prompt of answers, citations, and those of some sources; see SourcePromptSum. */
export function sourcePromptsStatement(
  plan: SourceGapsPlan,
  numbers: readonly bigint[],
  counted: Counted,
): Statement<typeof sourcePromptsShape> {
  const { column, list } = pageSources(plan, numbers);
  const all = [
    eachPart(plan.answers, counted, (from) => {
      return sql`select prompt, toInt64(${constant(String(allAnswers))}), count()
        from ${from} and entity = 0 group by prompt`;
    }),
    eachPart(plan.rows, counted, (from) => {
      return sql`select prompt, toInt64(${constant(String(allCitations))}), count()
        from ${from} group by prompt`;
    }),
    eachPart(plan.rows, counted, (from) => {
      return sql`select prompt, toInt64(indexOf(${list}, ${column})) - 1, count()
        from ${from} and ${column} in ${list} group by prompt, ${column}`;
    }),
  ];
  return { query: joined(sql` union all `, all), shape: sourcePromptsShape };
}

/** Each origin of a group at least once; one more row than the plan allows at most. */
export function originsStatement(
  { rows, groupBy, rowsMax }: OriginsPlan,
  counted: Counted,
): Statement<typeof originsShape> {
  const group = constant(groupColumn(groupBy));
  const origins = eachPart(rows, counted, (from) => {
    return sql`select distinct ${group} as answers_of, provider, model, surface
      from ${from} and entity = 0`;
  });
  const most = { type: "UInt64", value: rowsMax + 1 } as const;
  return { query: sql`select * from (${origins}) limit ${most}`, shape: originsShape };
}

/** Pairs of consecutive answers by how alike they are, those without any citation left out. */
export function stabilityStatement(
  plan: StabilityPlan,
  counted: Counted,
): Statement<typeof alikePairsShape> {
  const answers = eachPart(plan.answers, counted, (from) => {
    return sql`select sequence, answered_at, prompt, provider, region,
        ${constant(groupColumn(plan.groupBy))} as answers_of
      from ${from} and entity = 0`;
  });
  const cited = eachPart(plan.rows, counted, (from) => {
    return sql`select sequence, groupUniqArray(domain_number) as domains
      from ${from} group by sequence`;
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

/** A statement for each part: it begins with the table, and conditions can be added. */
function eachPart(
  rows: SourceGapsPlan["rows"],
  counted: Counted,
  statement: (from: Fragment) => Fragment,
): Fragment {
  return joined(
    sql` union all `,
    rows.parts.map((part) =>
      statement(sql`${tableOf(part, rows)} where ${where(part, rows, counted)}`),
    ),
  );
}
