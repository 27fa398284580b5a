import type { Measure } from "../../analytics/metric-definitions.ts";
import type { FactsTable, PlanPart, SourcesPlan, TimeSeriesPlan } from "../../analytics/plan.ts";
import { bucketColumns, measureColumns } from "../question-columns.ts";
import { type CitedNumbers, ofSource } from "./cited-numbers.ts";
import { where } from "./conditions.ts";
import { type Fragment, joined, type Statement } from "./statement.ts";

/** The name of each table. */
export const tables: Readonly<Record<FactsTable, string>> = {
  appearances: "appearances",
  citations: "citations",
  daily: "daily",
  daily_domains: "daily_domains",
};

const sumShape = {
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
export function timeSeriesStatement(plan: TimeSeriesPlan): Statement<typeof sumShape> {
  const { rows, measures, interval } = plan;
  const bucket = bucketColumns[interval];
  // Sums of integers are HUGEINT; a double holds them exactly up to 2^53.
  const sum = (measure: Measure | undefined) =>
    measure === undefined ? "cast(0 as double)" : `cast(sum(${measureColumns[measure]}) as double)`;
  const sums = `${sum(measures[0])}, ${sum(measures[1])}`;
  const parts = rows.parts.map((part): Fragment => {
    const { sql, values } = where(part, rows);
    return {
      sql: `select ${bucket}, entity, ${sums} from ${tables[part.table]}
        where ${sql} group by ${bucket}, entity`,
      values,
    };
  });
  return { ...joined(" union all ", parts), shape: sumShape };
}

/** What sources are counted by, and where their names are. */
export const groupings = {
  domain: { number: "domain_number", names: "domains" },
  url: { number: "url_number", names: "urls" },
} as const;

/** Rows of (number, citations, listed) of a part's sources, each source once. */
function citedIn(
  part: PlanPart,
  { rows, groupBy }: SourcesPlan,
  listed: CitedNumbers | null,
): Fragment {
  const { number } = groupings[groupBy];
  const count = part.table === "citations" ? "count(*)" : "cast(sum(citations) as bigint)";
  const { sql, values } = where(part, rows);
  const source = listed && ofSource(listed);
  const isListed = source === null ? "true" : `bool_or(${source.sql})`;
  return {
    sql: `select ${number} as number, ${count} as citations, ${isListed} as listed
      from ${tables[part.table]} where ${sql} group by ${number}`,
    values: [...(source?.values ?? []), ...values],
  };
}

/** Rows of (number, citations, listed), each source of the plan once. */
function cited(plan: SourcesPlan, listed: CitedNumbers | null): Fragment {
  const { sql, values } = joined(
    " union all ",
    plan.rows.parts.map((part) => citedIn(part, plan, listed)),
  );
  if (plan.rows.parts.length === 1) return { sql, values };
  return {
    sql: `select number, cast(sum(citations) as bigint) as citations, bool_or(listed) as listed
      from (${sql}) group by number`,
    values,
  };
}

const pageShape = {
  total: "number",
  allCitations: "number",
  source: "text or null",
  citations: "number or null",
} as const;

/** The sources of a page, in order; one row without a source when the page is empty. */
export function sourcesStatement(plan: SourcesPlan): Statement<typeof pageShape> {
  const { sql, values } = pageOf(plan, null);
  return {
    sql: `${sql}
      select total, all_citations, name, citations
      from totals left join page on true order by citations desc, name`,
    values,
    shape: pageShape,
  };
}

/**
 * The tables `totals` and `page`, as the first part of a statement.
 * @param listed null: all sources are listed.
 */
export function pageOf(plan: SourcesPlan, listed: CitedNumbers | null): Fragment {
  const { groupBy, limit, offset } = plan;
  const { names } = groupings[groupBy];
  const { sql, values } = cited(plan, listed);
  return {
    // Names are looked up for those alone that can be on the page or before it.
    sql: `with counted as materialized (${sql}), totals as (
        select cast(count(*) filter (where listed) as double) as total,
          cast(coalesce(sum(citations), 0) as double) as all_citations from counted
      ), first as (
        select citations from counted where listed order by citations desc limit ?
      ), page as (
        select number, name, cast(citations as double) as citations
        from counted join ${names} using (number)
        where listed and citations >= (select min(citations) from first)
        order by citations desc, name limit ? offset ?
      )`,
    values: [
      ...values,
      { type: "bigint", value: Math.min(offset + limit, Number.MAX_SAFE_INTEGER) },
      { type: "integer", value: limit },
      { type: "bigint", value: offset },
    ],
  };
}

const coverageShape = {
  provider: "number",
  region: "number",
  answers: "number",
  firstMs: "number",
  lastMs: "number",
} as const;

/**
 * The answers of each provider and region, and the first and last instant of all; no row when
 * there is no answer. Of the rows it reads one column at most. Nothing is bound, so that it is
 * planned anew each time (see run-statement).
 */
export const coverageStatement: Statement<typeof coverageShape> = {
  sql: `with answered as (
      select provider, region, cast(sum(mentioned) as double) as answers
      from daily where entity = 0 group by provider, region
    )
    select provider, region, answers, first, last
    from answered cross join (
      select cast(min(answered_at) as double) as first, cast(max(answered_at) as double) as last
      from appearances
    )
    order by provider, region`,
  values: [],
  shape: coverageShape,
};
