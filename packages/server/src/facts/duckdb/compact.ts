import { type DuckDBConnection, INTEGER } from "@duckdb/node-api";
import type { RollupTable } from "../../analytics/rollups.ts";
import type { Engine } from "./engine.ts";
import { compactionOf, rollupTables } from "./layout.ts";

/** When a rollup is compacted: when it has more rows than both say. */
export interface CompactionLimits {
  /** Times as many as after the last time. */
  readonly factor: number;
  readonly rowsMin: number;
}

/** Rows that are sorted at once: their sums fit into the engine's memory. */
const sliceRows = 500_000;

/**
 * Compacts the rollups that the limits choose, each in a transaction.
 * @returns whether there was any: then the log holds whole tables, and should be moved away.
 */
export async function compact(engine: Engine, limits: CompactionLimits): Promise<boolean> {
  const tables = await chosen(engine.writer, limits);
  for (const table of tables) await engine.transaction((writer) => rewrite(writer, table));
  return tables.length > 0;
}

async function chosen(
  writer: DuckDBConnection,
  { factor, rowsMin }: CompactionLimits,
): Promise<readonly RollupTable[]> {
  const counts = rollupTables.map((table) => `select '${table}' as rollup, count(*) from ${table}`);
  const rows = await rowsOf(
    writer,
    `with counted(rollup, row_count) as (${counts.join(" union all ")}), last as (
       select rollup, arg_max(row_count, number) as row_count from compactions group by rollup)
     select counted.rollup, counted.row_count, coalesce(last.row_count, 0)
     from counted left join last using (rollup)`,
  );
  const due = new Set(
    rows
      .filter(([, count, last]) => Number(count) > Math.max(rowsMin, factor * Number(last)))
      .map(([table]) => String(table)),
  );
  return rollupTables.filter((table) => due.has(table));
}

async function rewrite(writer: DuckDBConnection, table: RollupTable): Promise<void> {
  const { create, fill, replace } = compactionOf(table);
  const months = await rowsOf(
    writer,
    `select month, count(*) from ${table} group by month order by month`,
  );
  await writer.run(create);
  for (const [first, last] of slices(
    months.map(([month, rows]) => [Number(month), Number(rows)]),
  )) {
    await writer.run(fill, [first, last], [INTEGER, INTEGER]);
  }
  for (const statement of replace) await writer.run(statement);
  await writer.run(
    `insert into compactions
     select (select count(*) from compactions), $1, (select count(*) from ${table})`,
    [table],
  );
}

/** Months that are taken together: [first, last], of about sliceRows rows. */
function slices(months: readonly (readonly [month: number, rows: number])[]) {
  const ends: [first: number, last: number][] = [];
  let room = 0;
  for (const [month, rows] of months) {
    const slice = ends.at(-1);
    if (slice === undefined || room < rows) {
      ends.push([month, month]);
      room = sliceRows;
    } else {
      slice[1] = month;
    }
    room -= rows;
  }
  return ends;
}

async function rowsOf(writer: DuckDBConnection, sql: string) {
  return (await writer.runAndReadAll(sql)).getRows();
}
