import { type Bound, constant, type Fragment, type Statement, sql } from "../../platform/sql.ts";
import type { CitedSource } from "../plan/cited-source.ts";
import type { SourceGapsPlan } from "../plan/insight-plans.ts";
import type { SourcesPlan } from "../plan/plan.ts";
import { gapsOf } from "../statements/counts.ts";
import {
  type CitedNumbers,
  type Dialect,
  eachPart,
  ofSource,
  pageShape,
  sourceColumns,
} from "../statements/dialect.ts";
import { type Counted, from } from "./conditions.ts";
import { textNumber } from "./text-number.ts";

/** The numbers of a source. */
export function citedNumbers({ domain, url }: CitedSource): CitedNumbers {
  const number = (name: string | null) =>
    name === null ? null : ({ type: "UInt64", value: String(textNumber(name)) } as const);
  return { domain: number(domain), url: number(url) };
}

/** Rows of (number, citations, listed), each source of the plan once. */
function cited({ rows, groupBy, listed }: SourcesPlan, counted: Counted): Fragment {
  const number = sourceColumns[groupBy];
  const isListed = listed === null ? sql`true` : sql`max(${ofSource(citedNumbers(listed))})`;
  const own: Dialect["from"] = (part, selected) => from(part, selected, counted);
  const parts = eachPart(rows, { from: own }, (of, { table }) => {
    const count = table === "citations" ? sql`count()` : sql`sum(citations)`;
    return sql`select ${number} as number, ${count} as cited, ${isListed} as listed
      from ${of} group by ${number}`;
  });
  if (rows.parts.length === 1) return parts;
  return sql`select number, sum(cited) as cited, max(listed) as listed
    from (${parts}) group by number`;
}

/**
 * A row with the sums over all sources and without a source, then the sources of a page, in order.
 *
 * TRICKY: ClickHouse computes a common table expression again wherever it is named; a scalar
 * subquery is computed once. So the sources that can be on the page or before it, those with equal
 * counts among them, are one value; their names are looked up by their numbers.
 */
export function sourcesStatement(plan: SourcesPlan, counted: Counted): Statement<typeof pageShape> {
  const { groupBy, limit, offset } = plan;
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
            select number, any(name) as name from ${constant(`${groupBy}_names`)}
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

const gapsShape = {
  place: "number",
  answers: "number",
  withBrand: "number",
  withBrandOnly: "number",
  withCompetitorOnly: "number",
} as const;

/** The answers that cite each of some sources, by the sources' places in the list, from 1. */
export function gapsStatement(
  plan: SourceGapsPlan,
  sources: Bound,
  dialect: Dialect,
): Statement<typeof gapsShape> {
  const isListed = dialect.isSourceAmong(sourceColumns[plan.groupBy], sources);
  return {
    query: sql`select ${dialect.placeAmong(sources, sql`number`)}, answers, with_brand,
        with_brand_only, with_competitor_only
      from (${gapsOf(plan, isListed, dialect)})`,
    shape: gapsShape,
  };
}
