import { constant, type Fragment, joined, type ScalarType, sql } from "../../platform/sql.ts";
import type { PlanPart, RowSelection } from "../plan/plan.ts";
import type { FilterColumn } from "../plan/rollups.ts";

/**
 * Values are bound with their column's own type: an integer would have the engine widen the column
 * instead, row by row, which takes a fifth more time.
 */
const filterTypes = {
  provider: "UInt8",
  topic: "Int32",
  prompt: "Int32",
  region: "Int16",
  branded: "UInt8",
} as const satisfies Readonly<Record<FilterColumn, ScalarType>>;

/** Up to so many alternatives are compared one by one; more are a list that is joined. */
const inlineValuesMax = 5;

/** A part's table and the conditions on its rows. */
export function from(part: PlanPart, { conditions }: RowSelection): Fragment {
  const all = joined(sql` and `, [range(part), ...conditions.map(condition)]);
  return sql`${constant(part.table)} where ${all}`;
}

function range({ by, from, to }: PlanPart): Fragment {
  const type = by === "day" ? "Int32" : "Int64";
  const column = constant(by);
  return sql`${column} >= ${{ type, value: from }} and ${column} < ${{ type, value: to }}`;
}

function condition({ column, values }: RowSelection["conditions"][number]): Fragment {
  const name = constant(column);
  if (values.length > inlineValuesMax) {
    return sql`${name} in (select unnest(${{ type: "Array(Int32)", value: values }}))`;
  }
  const type = filterTypes[column];
  const alternatives = values.map((value) => sql`${{ type, value }}`);
  return sql`${name} in (${joined(sql`, `, alternatives)})`;
}
