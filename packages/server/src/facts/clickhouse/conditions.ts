import { dayOf } from "../../analytics/buckets.ts";
import type { CitedSource } from "../../analytics/cited-source.ts";
import type { FactsTable, PlanPart, RowSelection } from "../../analytics/plan.ts";
import type { FilterColumn } from "../../analytics/rollups.ts";
import { type Fragment, joined, sql } from "../../platform/clickhouse/statement.ts";
import { textNumber } from "./text-number.ts";

/** Which rows of an account count, as PostgreSQL says: of one generation, up to one batch. */
export interface Counted {
  readonly accountId: string;
  readonly generation: number;
  /** The last batch that counts. */
  readonly batch: number;
  /** Those before it that do not, from one to another: of writers that died or were refused. */
  readonly abandoned: readonly (readonly [first: number, last: number])[];
  /** Which rows of the rollups: see fold. */
  readonly fold: number;
}

const filterColumns = {
  provider: { name: sql`provider`, type: "Array(UInt8)" },
  topic: { name: sql`topic`, type: "Array(UInt32)" },
  prompt: { name: sql`prompt`, type: "Array(UInt32)" },
  region: { name: sql`region`, type: "Array(UInt16)" },
  branded: { name: sql`branded`, type: "Array(UInt8)" },
} as const satisfies Readonly<Record<FilterColumn, object>>;

/** The rows of a plan's part that count and meet every condition. */
export function where(part: PlanPart, rows: RowSelection, counted: Counted): Fragment {
  return joined(sql` and `, [
    countedRows(counted),
    ...(isRollup(part.table) ? [inFold(counted)] : []),
    range(part),
    ...rows.conditions.map(condition),
  ]);
}

/** The rows that count, of any table with batches. */
export function countedRows({ accountId, generation, batch, abandoned }: Counted): Fragment {
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

/** The rows of a rollup that are in force. */
export function inFold({ fold }: Counted): Fragment {
  return sql`fold = ${{ type: "UInt32", value: fold }}`;
}

/** The citations of a source. */
export function ofSource({ domain, url }: CitedSource): Fragment {
  const number = (name: string) => ({ type: "UInt64", value: String(textNumber(name)) }) as const;
  return joined(sql` and `, [
    ...(domain === null ? [] : [sql`domain_number = ${number(domain)}`]),
    ...(url === null ? [] : [sql`url_number = ${number(url)}`]),
  ]);
}

function isRollup(table: FactsTable): boolean {
  return table === "daily" || table === "daily_domains";
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

function condition({ column, values }: RowSelection["conditions"][number]): Fragment {
  const { name, type } = filterColumns[column];
  return sql`${name} in ${{ type, value: values }}`;
}
