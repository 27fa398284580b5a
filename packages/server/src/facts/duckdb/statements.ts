import type { Interval } from "@sightline/contract";
import type { Measure } from "../../analytics/metric-definitions.ts";
import type {
  FilterColumn,
  RowSelection,
  SourcesPlan,
  TimeSeriesPlan,
} from "../../analytics/plan.ts";

/** A value that is bound to a statement, with its place's type. */
export type BoundValue =
  | { readonly type: "integer"; readonly value: number }
  /** An integer that may not fit 32 bits: an instant, an offset. */
  | { readonly type: "bigint"; readonly value: number }
  | { readonly type: "integers"; readonly value: readonly number[] };

/** A statement: its text is of a closed set, all that a caller says is bound. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly BoundValue[];
}

const measureColumns: Readonly<Record<Measure, string>> = {
  mentioned: "mentioned",
  cited: "cited",
  visible: "visible",
  rank: "rank",
};

const filterColumns: Readonly<Record<FilterColumn, string>> = {
  provider: "provider",
  topic: "topic",
  prompt: "prompt",
  region: "region",
  branded: "branded",
};

/** The bucket of a row, from 0; `?` is the first bucket. Rows before it do not pass the range. */
const bucketExpressions: Readonly<Record<Interval, string>> = {
  daily: "day - ?",
  weekly: "(day - ?) // 7",
  monthly: "month - ?",
};

/** Rows of (bucket, entity, one sum a measure), by bucket and entity. */
export function timeSeriesStatement(plan: TimeSeriesPlan): Statement {
  // Sums of integers are HUGEINT; a double holds them exactly up to 2^53.
  const sums = plan.measures
    .map((measure, place) => `cast(sum(${measureColumns[measure]}) as double) as sum_${place}`)
    .join(", ");
  const { sql, values } = where(plan.rows);
  return {
    sql: `select ${bucketExpressions[plan.interval]} as bucket, entity, ${sums}
      from appearances where ${sql} group by bucket, entity order by bucket, entity`,
    values: [{ type: "integer", value: plan.firstBucket }, ...values],
  };
}

const groupings = {
  domain: { number: "domain_number", names: "domains" },
  url: { number: "url_number", names: "urls" },
} as const;

/** Rows of (total, all citations, source, its citations); one with nulls when the page is empty. */
export function sourcesStatement(plan: SourcesPlan): Statement {
  const { number, names } = groupings[plan.groupBy];
  const { sql, values } = where(plan.rows);
  return {
    sql: `with counted as (
        select ${number} as number, count(*) as citations
        from citations where ${sql} group by ${number}
      ), totals as (
        select cast(count(*) as double) as total,
          cast(coalesce(sum(citations), 0) as double) as all_citations from counted
      ), page as (
        select name, cast(citations as double) as citations
        from counted join ${names} using (number)
        order by citations desc, name limit ? offset ?
      )
      select total, all_citations, name, citations
      from totals left join page on true order by citations desc, name`,
    values: [
      ...values,
      { type: "integer", value: plan.limit },
      { type: "bigint", value: plan.offset },
    ],
  };
}

/** Up to so many alternatives are compared one by one; more are a list that is joined. */
const inlineValuesMax = 16;

function where({ fromMs, toMs, conditions }: RowSelection): Statement {
  const range: Statement = {
    sql: "answered_at >= ? and answered_at < ?",
    values: [
      { type: "bigint", value: fromMs },
      { type: "bigint", value: toMs },
    ],
  };
  const parts = conditions.map(({ column, values }): Statement => {
    const name = filterColumns[column];
    if (values.length > inlineValuesMax) {
      const sql = `${name} in (select unnest(?))`;
      return { sql, values: [{ type: "integers", value: values }] };
    }
    return {
      sql: `${name} in (${values.map(() => "?").join(", ")})`,
      values: values.map((value) => ({ type: "integer", value })),
    };
  });
  const all = [range, ...parts];
  return {
    sql: all.map(({ sql }) => sql).join(" and "),
    values: all.flatMap(({ values }) => values),
  };
}
