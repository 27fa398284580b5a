import { constant, type Fragment, type Statement, sql } from "../../platform/sql.ts";
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
import { from } from "./conditions.ts";

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
export function sourcesStatement(plan: SourcesPlan): Statement<typeof pageShape> {
  return {
    query: sql`${pageOf(plan, null)}
      select total, all_citations, name, citations
      from totals left join page on true order by citations desc, name`,
    shape: pageShape,
  };
}

const gapsShape = {
  ...pageShape,
  number: "number or null",
  answers: "number or null",
  withBrand: "number or null",
  withBrandOnly: "number or null",
  withCompetitorOnly: "number or null",
} as const;

/** The same with the answers that cite each source. */
export function gapsStatement(
  plan: SourceGapsPlan,
  listed: CitedNumbers | null,
  dialect: Dialect,
): Statement<typeof gapsShape> {
  const isOnPage = sql`${sourceColumns[plan.groupBy]} in (select number from page)`;
  return {
    query: sql`${pageOf(plan, listed)}, gaps as (${gapsOf(plan, isOnPage, dialect)})
      select total, all_citations, name, citations, cast(number as double), answers, with_brand,
        with_brand_only, with_competitor_only
      from totals left join (page join gaps using (number)) on true
      order by citations desc, name`,
    shape: gapsShape,
  };
}

/** The tables `totals` and `page`, as the first part of a statement. */
function pageOf(plan: SourcesPlan, listed: CitedNumbers | null): Fragment {
  const { groupBy, limit, offset } = plan;
  const last = Math.min(offset + limit, Number.MAX_SAFE_INTEGER);
  // Names are looked up for those alone that can be on the page or before it.
  return sql`with counted as materialized (${cited(plan, listed)}), totals as (
      select cast(count(*) filter (where listed) as double) as total,
        cast(coalesce(sum(citations), 0) as double) as all_citations from counted
    ), first as (
      select citations from counted where listed
      order by citations desc limit ${{ type: "Int64", value: last }}
    ), page as (
      select number, name, cast(citations as double) as citations
      from counted join ${constant(`${groupBy}s`)} using (number)
      where listed and citations >= (select min(citations) from first)
      order by citations desc, name
      limit ${{ type: "Int64", value: limit }} offset ${{ type: "Int64", value: offset }}
    )`;
}

/** Rows of (number, citations, listed), each source of the plan once. */
function cited({ rows, groupBy }: SourcesPlan, listed: CitedNumbers | null): Fragment {
  const number = sourceColumns[groupBy];
  const isListed = listed === null ? sql`true` : sql`bool_or(${ofSource(listed)})`;
  const parts = eachPart(rows, { from }, (of, { table }) => {
    const count = table === "citations" ? sql`count(*)` : sql`cast(sum(citations) as bigint)`;
    return sql`select ${number} as number, ${count} as citations, ${isListed} as listed
      from ${of} group by ${number}`;
  });
  if (rows.parts.length === 1) return parts;
  return sql`select number, cast(sum(citations) as bigint) as citations, bool_or(listed) as listed
    from (${parts}) group by number`;
}
