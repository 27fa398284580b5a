import { constant, type Fragment, joined, sql } from "../../platform/sql.ts";
import { dayOf } from "../plan/buckets.ts";
import type { FilterColumn, PlanPart, RowSelection } from "../plan/plan.ts";

/** Which rows of an account are read: those of one generation, up to one batch. PostgreSQL says. */
export interface VisibleRows {
  readonly accountId: string;
  readonly generation: number;
  /** The last batch that counts. */
  readonly batch: number;
  /** Those before it that do not, from one to another: of writers that died or were refused. */
  readonly abandoned: readonly (readonly [first: number, last: number])[];
  /** Which rows of the rollups: see fold. */
  readonly fold: number;
}

const filterTypes = {
  provider: "Array(UInt8)",
  topic: "Array(UInt32)",
  prompt: "Array(UInt32)",
  region: "Array(UInt16)",
  branded: "Array(UInt8)",
  model: "Array(Int32)",
  surface: "Array(UInt8)",
} as const satisfies Readonly<Record<FilterColumn, string>>;

/** The table that has a part's rows in the better order, and the conditions on them. */
export function from(part: PlanPart, { conditions }: RowSelection, visible: VisibleRows): Fragment {
  const { table } = part;
  const isRollup = table === "daily" || table === "daily_domains";
  const isInBothOrders = table === "appearances" || table === "citations";
  // The same rows in the order in which a filter by topic or prompt reads few.
  const isByPrompt = conditions.some(
    ({ column, isExcluded }) => !isExcluded && (column === "topic" || column === "prompt"),
  );
  return sql`${constant(isByPrompt && isInBothOrders ? `${table}_by_prompt` : table)}
    where ${isRollup ? rollupRows(visible) : visibleRows(visible)} and ${joined(sql` and `, [
      range(part),
      ...conditions.map(condition),
    ])}`;
}

/** The rows that count, of any table with batches. */
export function visibleRows({ accountId, generation, batch, abandoned }: VisibleRows): Fragment {
  const all = sql`account_id = ${{ type: "UUID", value: accountId }}
    and generation = ${{ type: "UInt32", value: generation }}
    and batch <= ${{ type: "UInt32", value: batch }}`;
  if (abandoned.length === 0) return all;
  const alone = abandoned.flatMap(([first, last]) => (first === last ? [first] : []));
  const ranges = abandoned.filter(([first, last]) => first < last);
  return joined(sql` and `, [
    all,
    sql`batch not in ${{ type: "Array(UInt32)", value: alone }}`,
    ...ranges.map(([first, last]) => {
      const from = sql`batch < ${{ type: "UInt32", value: first }}`;
      return sql`(${from} or batch > ${{ type: "UInt32", value: last }})`;
    }),
  ]);
}

/** The rows of a rollup that count. */
export function rollupRows(visible: VisibleRows): Fragment {
  return sql`${visibleRows(visible)} and fold = ${{ type: "UInt32", value: visible.fold }}`;
}

function range({ by, from, to }: PlanPart): Fragment {
  // Rows are sorted by day first.
  const [first, end] = by === "day" ? [from, to] : [dayOf(from), dayOf(to - 1) + 1];
  const days = sql`day >= ${{ type: "Int32", value: first }}
    and day < ${{ type: "Int32", value: end }}`;
  if (by === "day") return days;
  return sql`${days} and answered_at >= ${{ type: "Int64", value: from }}
    and answered_at < ${{ type: "Int64", value: to }}`;
}

function condition({ column, values, isExcluded }: RowSelection["conditions"][number]): Fragment {
  const among = isExcluded ? sql`not in` : sql`in`;
  return sql`${constant(column)} ${among} ${{ type: filterTypes[column], value: values }}`;
}
