import type { Measure } from "../../analytics/metric-definitions.ts";
import type {
  FactsTable,
  PlanPart,
  RowSelection,
  SourcesPlan,
  TimeSeriesPlan,
} from "../../analytics/plan.ts";
import {
  constant,
  type Fragment,
  joined,
  type Statement,
  sql,
} from "../../platform/clickhouse/statement.ts";
import { bucketColumns, measureColumns } from "../question-columns.ts";
import { type Counted, countedRows, inFold, ofSource, where } from "./conditions.ts";

const tables: Readonly<Record<FactsTable, Fragment>> = {
  appearances: sql`appearances`,
  citations: sql`citations`,
  daily: sql`daily`,
  daily_domains: sql`daily_domains`,
};

/** The same rows in the order in which a filter by topic or prompt reads few. */
const tablesByPrompt: Readonly<Record<FactsTable, Fragment>> = {
  ...tables,
  appearances: sql`appearances_by_prompt`,
  citations: sql`citations_by_prompt`,
};

/** The table that has a part's rows in the better order. */
export function tableOf({ table }: PlanPart, { conditions }: RowSelection): Fragment {
  const isFiltered = conditions.some(({ column }) => column === "topic" || column === "prompt");
  return (isFiltered ? tablesByPrompt : tables)[table];
}

const sumShape = {
  bucket: "number",
  entity: "number",
  sum: "number",
  mentions: "number",
} as const;

/**
 * Sums by bucket and entity, in no order; `sum` is that of the plan's first measure, `mentions`
 * that of its second, or 0. Each part gives its own rows.
 */
export function timeSeriesStatement(
  plan: TimeSeriesPlan,
  counted: Counted,
): Statement<typeof sumShape> {
  const { rows, measures, interval } = plan;
  const bucket = constant(bucketColumns[interval]);
  const sum = (measure: Measure | undefined) =>
    measure === undefined ? sql`0` : sql`sum(${constant(measureColumns[measure])})`;
  const parts = rows.parts.map(
    (part) => sql`select ${bucket}, entity, ${sum(measures[0])}, ${sum(measures[1])}
      from ${tableOf(part, rows)} where ${where(part, rows, counted)} group by ${bucket}, entity`,
  );
  return { query: joined(sql` union all `, parts), shape: sumShape };
}

/** What sources are counted by, and where their names are. */
export const groupings = {
  domain: { number: sql`domain_number`, names: sql`domain_names` },
  url: { number: sql`url_number`, names: sql`url_names` },
} as const;

/** Rows of (number, citations, listed) of a part's sources, each source once. */
function citedIn(part: PlanPart, plan: SourcesPlan, counted: Counted): Fragment {
  const { rows, groupBy, listed } = plan;
  const { number } = groupings[groupBy];
  const count = part.table === "citations" ? sql`count()` : sql`sum(citations)`;
  const isListed = listed === null ? sql`true` : sql`max(${ofSource(listed)})`;
  return sql`select ${number} as number, ${count} as cited, ${isListed} as listed
    from ${tableOf(part, rows)} where ${where(part, rows, counted)} group by ${number}`;
}

/** Rows of (number, citations, listed), each source of the plan once. */
function cited(plan: SourcesPlan, counted: Counted): Fragment {
  const parts = plan.rows.parts.map((part) => citedIn(part, plan, counted));
  const all = joined(sql` union all `, parts);
  if (parts.length === 1) return all;
  return sql`select number, sum(cited) as cited, max(listed) as listed
    from (${all}) group by number`;
}

const pageShape = {
  total: "number",
  allCitations: "number",
  source: "text or null",
  citations: "number or null",
} as const;

/**
 * A row with the sums over all sources and without a source, then the sources of a page, in order.
 *
 * TRICKY: ClickHouse computes a common table expression again wherever it is named; a scalar
 * subquery is computed once. So the sources that can be on the page or before it, those with equal
 * counts among them, are one value; their names are looked up by their numbers.
 */
export function sourcesStatement(plan: SourcesPlan, counted: Counted): Statement<typeof pageShape> {
  const { groupBy, limit, offset } = plan;
  const { names } = groupings[groupBy];
  const last = Math.min(offset + limit, Number.MAX_SAFE_INTEGER);
  const account = { type: "UUID", value: counted.accountId } as const;
  const generation = { type: "UInt32", value: counted.generation } as const;
  return {
    query: sql`with (
        select (any(total), any(everything), groupArrayIf((number, cited), listed))
        from (
          select number, cited, listed, countIf(listed) over () as total,
            sum(cited) over () as everything
          from (${cited(plan, counted)})
          order by listed desc, cited desc limit ${{ type: "UInt64", value: last }} with ties
        )
      ) as first
      select total, everything, source, citations from (
        select first.1 as total, first.2 as everything,
          cast(null as Nullable(String)) as source, cast(null as Nullable(UInt64)) as citations
        union all
        select first.1, first.2, name, cited from (
          select name, cited
          from (
            select each.1 as number, each.2 as cited from (select arrayJoin(first.3) as each)
          ) as counted
          inner join (
            select number, any(name) as name from ${names}
            where account_id = ${account}
              and generation = ${generation}
              and number in (select arrayJoin(first.3).1)
            group by number
          ) as named using (number)
          order by cited desc, name
          limit ${{ type: "UInt64", value: limit }} offset ${{ type: "UInt64", value: offset }}
        )
      )
      order by citations desc nulls first, source`,
    shape: pageShape,
  };
}

const coverageShape = { provider: "number", region: "number", answers: "number" } as const;

/** The answers of each provider and region; no row when there is no answer. */
export function coverageStatement(counted: Counted): Statement<typeof coverageShape> {
  return {
    query: sql`select provider, region, sum(mentioned) from daily
      where ${countedRows(counted)} and ${inFold(counted)} and entity = 0
      group by provider, region order by provider, region`,
    shape: coverageShape,
  };
}
