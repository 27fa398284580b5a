import type { Grouping, Interval } from "@sightline/contract";
import type { Counting } from "../../analytics/counting.ts";
import { heldColumns } from "../../analytics/held-rollup.ts";
import { type Measure, markPlaces } from "../../analytics/metric-definitions.ts";
import { regionBits } from "../../analytics/origins.ts";
import type {
  FactsTable,
  PlanPart,
  RowSelection,
  SourcesPlan,
  TimeSeriesPlan,
} from "../../analytics/plan.ts";
import {
  type IndexedColumn,
  type IndexedTable,
  indexedColumns,
} from "../../analytics/prompt-index.ts";
import type { FilterColumn } from "../../analytics/rollups.ts";

/** A value that is bound to a statement, with its place's type. */
export type BoundValue =
  | { readonly type: "integer" | "smallint" | "utinyint"; readonly value: number }
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

/**
 * Values are bound with their column's own type: an integer would have the engine widen the column
 * instead, row by row, which takes a fifth more time.
 */
const filterColumns = {
  provider: { name: "provider", type: "utinyint" },
  topic: { name: "topic", type: "integer" },
  prompt: { name: "prompt", type: "integer" },
  region: { name: "region", type: "smallint" },
  branded: { name: "branded", type: "utinyint" },
} as const satisfies Readonly<Record<FilterColumn, object>>;

const bucketColumns: Readonly<Record<Interval, string>> = {
  daily: "day",
  weekly: "week",
  monthly: "month",
};

const tables: Readonly<Record<FactsTable, string>> = {
  appearances: "appearances",
  citations: "citations",
  daily: "daily",
  daily_prompts: "daily_prompts",
};

/**
 * Rows of (bucket, entity, one sum a measure), in no order. Each part gives its own: a bucket that
 * several parts meet has a row from each.
 */
export function timeSeriesStatement({ rows, measures, interval }: TimeSeriesPlan): Statement {
  // Sums of integers are HUGEINT; a double holds them exactly up to 2^53.
  const sums = measures
    .map((measure) => `cast(sum(${measureColumns[measure]}) as double)`)
    .join(", ");
  const bucket = bucketColumns[interval];
  return joined(
    " union all ",
    rows.parts.map((part) => {
      const { sql, values } = where(part, rows);
      return {
        sql: `select ${bucket}, entity, ${sums} from ${tables[part.table]}
          where ${sql} group by ${bucket}, entity`,
        values,
      };
    }),
  );
}

/** The place in the record up to which the facts reach. */
const watermark = "(select cast(max(sequence) as double) from marks)";

/**
 * One row: the watermark, the number of the rollup's last compaction, the last row's place, and a
 * list a column of the rows after a place and up to another. All of one state: a compaction in
 * between is noticed.
 */
export function heldRowsStatement(after: number, last: number): Statement {
  const lists = heldColumns.map((column) => `list(${column})`).join(", ");
  return {
    sql: `select ${watermark},
      (select cast(max(number) as integer) from compactions where rollup = 'daily'),
      cast(max(rowid) as double), ${lists} from ${tables.daily}
      where rowid > ? and rowid <= ?`,
    values: [
      { type: "bigint", value: after },
      { type: "bigint", value: last },
    ],
  };
}

const indexed: Readonly<Record<IndexedColumn<IndexedTable>, string>> = {
  prompt: "prompt",
  origin: `cast(${2 ** regionBits} * cast(provider as integer) + region as usmallint)`,
  answered_at: "cast(answered_at as double)",
  entity: "entity",
  marks: `cast(${2 ** markPlaces.mentioned} * mentioned + ${2 ** markPlaces.cited} * cited
    + ${2 ** markPlaces.visible} * visible as utinyint)`,
  rank: "rank",
  domain_number: "domain_number",
  url_number: "url_number",
};

/** One row: the watermark, and a list an indexed column of the rows of [from, to). */
export function indexedRowsStatement(table: IndexedTable, from: number, to: number): Statement {
  const lists = indexedColumns[table].map((column) => `list(${indexed[column]})`).join(", ");
  return {
    sql: `select ${watermark}, ${lists} from ${tables[table]} where rowid >= ? and rowid < ?`,
    values: [
      { type: "bigint", value: from },
      { type: "bigint", value: to },
    ],
  };
}

/** One number. */
export function rowCountStatement(table: IndexedTable): Statement {
  return { sql: `select cast(count(*) as double) from ${tables[table]}`, values: [] };
}

const groupings = {
  domain: { number: "domain_number", names: "domains" },
  url: { number: "url_number", names: "urls" },
} as const;

/** The source of each citation that counts, as `number`. */
function citedSources({ rows, groupBy }: SourcesPlan): Statement {
  const { number } = groupings[groupBy];
  return joined(
    " union all ",
    rows.parts.map((part) => {
      const { sql, values } = where(part, rows);
      return { sql: `select ${number} as number from ${tables[part.table]} where ${sql}`, values };
    }),
  );
}

/**
 * One row of lists, null when nothing counts: the source of each citation, or each source and its
 * citations. A list comes out of the engine in one piece, where rows come 2,048 at a time.
 */
export function sourceCountsStatement(plan: SourcesPlan, counting: Counting): Statement {
  const { sql, values } = citedSources(plan);
  return counting === "rows"
    ? { sql: `select list(number) from (${sql})`, values }
    : {
        sql: `select list(number), list(citations) from (
          select number, cast(count(*) as integer) as citations from (${sql}) group by number
        )`,
        values,
      };
}

/** Rows of (number, name) of some sources, in no order. */
export function sourceNamesStatement(groupBy: Grouping, numbers: readonly number[]): Statement {
  return {
    sql: `select number, name from ${groupings[groupBy].names}
      where number in (select unnest(?))`,
    values: [{ type: "integers", value: numbers }],
  };
}

/** Rows of (day, citations); day null: domains, URLs, providers and regions that there are. */
export const citationStatisticsStatement: Statement = {
  sql: `select day, cast(count(*) as double), 0.0, 0.0, 0.0 from citations group by day
    union all
    select null, (select cast(count(*) as double) from domains),
      (select cast(count(*) as double) from urls),
      (select cast(count(distinct provider) as double) from daily),
      (select cast(count(distinct region) as double) from daily)`,
  values: [],
};

/** Rows of (total, all citations, source, its citations); one with nulls when the page is empty. */
export function sourcesStatement(plan: SourcesPlan): Statement {
  const { groupBy, limit, offset } = plan;
  const { names } = groupings[groupBy];
  const parts = citedSources(plan);
  return {
    // Names are looked up for those alone that can be on the page or before it.
    sql: `with counted as materialized (
        select number, count(*) as citations from (${parts.sql}) group by number
      ), totals as (
        select cast(count(*) as double) as total,
          cast(coalesce(sum(citations), 0) as double) as all_citations from counted
      ), first as (
        select citations from counted order by citations desc limit ?
      ), page as (
        select name, cast(citations as double) as citations
        from counted join ${names} using (number)
        where citations >= (select min(citations) from first)
        order by citations desc, name limit ? offset ?
      )
      select total, all_citations, name, citations
      from totals left join page on true order by citations desc, name`,
    values: [
      ...parts.values,
      { type: "bigint", value: Math.min(offset + limit, Number.MAX_SAFE_INTEGER) },
      { type: "integer", value: limit },
      { type: "bigint", value: offset },
    ],
  };
}

/** Up to so many alternatives are compared one by one; more are a list that is joined. */
const inlineValuesMax = 5;

function where(part: PlanPart, { conditions }: RowSelection): Statement {
  return joined(" and ", [range(part), ...conditions.map(condition)]);
}

function range({ by, from, to }: PlanPart): Statement {
  const type = by === "day" ? "integer" : "bigint";
  return {
    sql: by === "day" ? "day >= ? and day < ?" : "answered_at >= ? and answered_at < ?",
    values: [
      { type, value: from },
      { type, value: to },
    ],
  };
}

function condition({ column, values }: RowSelection["conditions"][number]): Statement {
  const { name, type } = filterColumns[column];
  if (values.length > inlineValuesMax) {
    const sql = `${name} in (select unnest(?))`;
    return { sql, values: [{ type: "integers", value: values }] };
  }
  return {
    sql: `${name} in (${values.map(() => "?").join(", ")})`,
    values: values.map((value) => ({ type, value })),
  };
}

function joined(separator: string, statements: readonly Statement[]): Statement {
  return {
    sql: statements.map(({ sql }) => sql).join(separator),
    values: statements.flatMap(({ values }) => values),
  };
}
