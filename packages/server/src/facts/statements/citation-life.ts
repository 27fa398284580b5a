import { constant, type Fragment, type Statement, sql } from "../../platform/sql.ts";
import type { LifePlan } from "../plan/source-plans.ts";
import { type Dialect, eachPart } from "./dialect.ts";

const lifeShape = {
  key: "text",
  days: "number",
  gone: "number",
  won: "number",
  lives: "number",
} as const;

const series = "prompt, provider, region";

/**
 * Lives of citations by group, by their length in days, whether they ended, and whether they began
 * after the first day of their series; in no order, one row more than the plan allows at most.
 *
 * A series is the answers of one provider in one region to one prompt, and each day with answers is
 * one asking of it. A life ends on the first of two askings in a row without the page. A series and
 * a page are one number, since most of the time goes into ordering the citations of each such pair.
 */
export function lifeStatement(plan: LifePlan, dialect: Dialect): Statement<typeof lifeShape> {
  const { rows, answers, rowsMax } = plan;
  const asked = eachPart(answers, dialect, (from) => {
    return sql`select prompt, provider, region, day from ${from} and entity = 0`;
  });
  const citing = eachPart(rows, dialect, (from) => {
    return sql`select prompt, provider, region, day, url_number, domain_number from ${from}`;
  });
  const of = constant(series);
  const inPair = { partition: sql`pair`, order: sql`asking` };
  // A page may be cited twice on a day: of equal askings, what begins a life is the first.
  const inEdges = { partition: sql`pair`, order: sql`asking, ends` };
  const before = dialect.previousOf(sql`asking`, { ...inPair, unless: -2 });
  const after = dialect.nextOf(sql`asking`, { ...inPair, unless: 1_000_000 });
  return {
    query: sql`with askings as (
        select ${of}, day,
          cast(row_number() over (partition by ${of} order by day) as bigint) as asking,
          cast(dense_rank() over (order by ${of}) as bigint) as series
        from (select distinct ${of}, day from (${asked}) as asked) as days
      ), ends_of_series as (
        select series, min(provider) as provider, max(asking) as last_of_series,
          max(day) as last_day
        from askings group by series
      ), cited as (
        select series * 4294967296 + url_number as pair, series, url_number, domain_number, asking
        from (${citing}) as citing inner join askings using (${of}, day)
      ), placed as (
        select pair, series, url_number, domain_number, asking, asking - ${before} >= 3 as begins,
          ${after} - asking >= 3 as ends
        from cited
      ), edges as (
        select series, url_number, domain_number, asking, begins,
          if(ends, asking, ${dialect.nextOf(sql`asking`, { ...inEdges, unless: 0 })}) as last_asking
        from placed where begins or ends
      ), lives as (
        select edges.series as series, provider, url_number, domain_number,
          asking as first_asking, last_asking + 1 as missing,
          last_asking + 2 <= last_of_series as is_gone, last_day
        from edges inner join ends_of_series on edges.series = ends_of_series.series
        where begins
      ), told as (
        select ${keyOf(plan)} as number, cast(is_gone as integer) as gone,
          cast(first_asking > 1 as integer) as won,
          cast(if(is_gone, ended.day, last_day) - begun.day as double) as days
        from lives
          inner join askings as begun
            on lives.series = begun.series and first_asking = begun.asking
          left join askings as ended on lives.series = ended.series and missing = ended.asking
      )
      select ${named(plan, dialect)} limit ${{ type: "Int64", value: rowsMax + 1 }}`,
    shape: lifeShape,
  };
}

function keyOf({ groupBy }: LifePlan): Fragment {
  switch (groupBy) {
    case "provider":
      return sql`lives.provider`;
    case "domain":
      return sql`domain_number`;
    case "page":
      return sql`url_number`;
  }
}

function named({ groupBy }: LifePlan, { domainNames, urlNames }: Dialect): Fragment {
  const counted = sql`(
    select number, days, gone, won, cast(count(*) as double) as lives
    from told group by number, days, gone, won
  ) as counted`;
  const columns = sql`days, cast(gone as double), cast(won as double), lives`;
  if (groupBy === "provider") return sql`cast(number as varchar), ${columns} from ${counted}`;
  const names = groupBy === "domain" ? domainNames : urlNames;
  return sql`name, ${columns} from ${counted} inner join (${names}) as named using (number)`;
}
