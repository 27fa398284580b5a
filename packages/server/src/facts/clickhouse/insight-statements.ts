import type { PromptSumsPlan, SourceGapsPlan, TimeSeriesPlan } from "../../analytics/plan.ts";
import type { FilterColumn } from "../../analytics/rollups.ts";
import { allAnswers, allCitations } from "../../analytics/source-gaps.ts";
import {
  constant,
  type Fragment,
  joined,
  type Statement,
  sql,
} from "../../platform/clickhouse/statement.ts";
import { type Counted, where } from "./conditions.ts";
import { bucketColumns, groupings, measureColumns, tableOf } from "./statements.ts";

const groupColumns: Readonly<Record<FilterColumn, Fragment>> = {
  provider: sql`provider`,
  topic: sql`topic`,
  prompt: sql`prompt`,
  region: sql`region`,
  branded: sql`branded`,
};

const promptSumsShape = {
  group: "number",
  prompt: "number",
  entity: "number",
  mentioned: "number",
  cited: "number",
  visible: "number",
  rank: "number",
  first: "number",
} as const;

/** Sums by group, prompt and entity, in no order; one more row than the plan allows at most. */
export function promptSumsStatement(
  plan: PromptSumsPlan,
  counted: Counted,
): Statement<typeof promptSumsShape> {
  const { rows, groupBy, rowsMax } = plan;
  const group = groupBy === null ? sql`0` : groupColumns[groupBy];
  const finer = groupBy === null || groupBy === "prompt" ? sql`` : sql`, ${group}`;
  const sums = eachPart(rows, counted, (from) => {
    return sql`select ${group} as answers_of, prompt, entity, sum(mentioned), sum(cited),
        sum(visible), sum(rank), countIf(rank = 1)
      from ${from} group by prompt, entity${finer}`;
  });
  const most = { type: "UInt64", value: rowsMax + 1 } as const;
  return { query: sql`select * from (${sums}) limit ${most}`, shape: promptSumsShape };
}

const spreadShape = {
  bucket: "number",
  entity: "number",
  prompts: "number",
  sum: "number",
  mentions: "number",
  numeratorSquares: "number",
  denominatorSquares: "number",
  products: "number",
} as const;

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
    measure === undefined ? sql`toUInt64(0)` : sql`sum(${measureColumns[measure]})`;
  const byPrompt = eachPart(rows, counted, (from) => {
    return sql`select ${bucketColumns[interval]} as bucket, prompt, entity,
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

const sourcePromptsShape = { prompt: "number", counted: "number", sum: "number" } as const;

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
