import type { Insertion } from "../../platform/clickhouse/clickhouse.ts";
import { type BlockColumn, nativeBlock } from "../../platform/clickhouse/native-block.ts";

/** Rows, given as columns side by side, and the token of their insert into a table. */
export function insertion(
  table: string,
  token: string,
  { rows, columns }: { readonly rows: number; readonly columns: readonly BlockColumn[] },
): Insertion {
  const names = columns.map(({ name }) => name).join(", ");
  return {
    query: `insert into ${table} (${names}) format Native`,
    token: `${token}/${table}`,
    block: nativeBlock(rows, columns),
  };
}
