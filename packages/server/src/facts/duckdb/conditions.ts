import type { PlanPart, RowSelection } from "../../analytics/plan.ts";
import type { FilterColumn } from "../../analytics/rollups.ts";
import { type Fragment, joined } from "./statement.ts";

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

/** Up to so many alternatives are compared one by one; more are a list that is joined. */
const inlineValuesMax = 5;

/** The rows of a plan's part that meet every condition. */
export function where(part: PlanPart, { conditions }: RowSelection): Fragment {
  return joined(" and ", [range(part), ...conditions.map(condition)]);
}

function range({ by, from, to }: PlanPart): Fragment {
  const type = by === "day" ? "integer" : "bigint";
  return {
    sql: by === "day" ? "day >= ? and day < ?" : "answered_at >= ? and answered_at < ?",
    values: [
      { type, value: from },
      { type, value: to },
    ],
  };
}

function condition({ column, values }: RowSelection["conditions"][number]): Fragment {
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
