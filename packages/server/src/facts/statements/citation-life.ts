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

/** The columns of a series of two tables, as a condition of a join. */
const sameSeries = (left: string, right: string) =>
  series
    .split(", ")
    .map((column) => `${left}.${column} = ${right}.${column}`)
    .join(" and ");

/**
 * Lives of citations by group, by their length in days, whether they ended, and whether they began
 * after the first day of their series; in no order, one row more than the plan allows at most.
 *
 * A series is the answers of one provider in one region to one prompt, and each day with answers is
 * one asking of it. A life ends on the first of two askings in a row without the page.
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
  const before = dialect.previousOf(sql`asking`, {
    partition: sql`cited.prompt, cited.provider, cited.region, url_number`,
    order: sql`asking`,
    first: -2,
  });
  return {
    query: sql`with askings as (
        select ${of}, day, row_number() over (partition by ${of} order by day) as asking
        from (select distinct ${of}, day from (${asked}) as asked) as days
      ), ends as (
        select ${of}, max(asking) as last_of_series, max(day) as last_day
        from askings group by ${of}
      ), placed as (
        select cited.prompt as prompt, cited.provider as provider, cited.region as region,
          cited.day as day, url_number, domain_number, asking,
          cast(asking - ${before} >= 3 as integer) as begins
        from (
          select distinct ${of}, day, url_number, domain_number from (${citing}) as citing
        ) as cited inner join askings
          on ${constant(sameSeries("cited", "askings"))} and cited.day = askings.day
      ), numbered as (
        select ${of}, day, url_number, domain_number, asking,
          sum(begins) over (
            partition by ${of}, url_number order by asking
            rows between unbounded preceding and current row
          ) as life
        from placed
      ), lives as (
        select ${of}, url_number, domain_number, life, min(day) as first_day,
          min(asking) as first_asking, max(asking) as last_asking
        from numbered group by ${of}, url_number, domain_number, life
      ), closed as (
        select lives.prompt as prompt, lives.provider as provider, lives.region as region,
          url_number, domain_number, first_day, first_asking, last_asking + 1 as missing,
          last_asking + 2 <= last_of_series as is_gone, last_day
        from lives inner join ends on ${constant(sameSeries("lives", "ends"))}
      ), told as (
        select ${keyOf(plan)} as number, cast(is_gone as integer) as gone,
          cast(first_asking > 1 as integer) as won,
          cast(if(is_gone, askings.day, last_day) - first_day as double) as days
        from closed left join askings
          on ${constant(sameSeries("closed", "askings"))} and asking = missing
      )
      select ${named(plan, dialect)} limit ${{ type: "Int64", value: rowsMax + 1 }}`,
    shape: lifeShape,
  };
}

function keyOf({ groupBy }: LifePlan): Fragment {
  switch (groupBy) {
    case "provider":
      return sql`closed.provider`;
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
