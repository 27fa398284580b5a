import { type DuckDBConnection, INTEGER } from "@duckdb/node-api";
import type { FactsTable } from "../plan/plan.ts";
import type { Engine } from "./engine.ts";
import { createTable, questionTables, summedInto, tableLayouts } from "./layout.ts";

/** When a table is compacted: when it has more rows than both say. */
export interface CompactionLimits {
  /** Times as many as after the last time. */
  readonly factor: number;
  readonly rowsMin: number;
}

/** Rows that are sorted in one statement, so that they fit into the engine's memory. */
const sliceRows = 500_000;

/**
 * Compacts the tables that the limits choose, each in a transaction: a batch appends its rows in
 * the order of recording and its sums as rows of their own; compacted, rows lie in the order in
 * which filters read them, and equal keys of a rollup are one row.
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
): Promise<readonly FactsTable[]> {
  const counts = questionTables.map((table) => `select '${table}', count(*) from ${table}`);
  const rows = await rowsOf(
    writer,
    `with counted(table_name, row_count) as (${counts.join(" union all ")}), last as (
       select table_name, arg_max(row_count, number) as row_count
       from compactions group by table_name)
     select counted.table_name, counted.row_count, coalesce(last.row_count, 0)
     from counted left join last using (table_name)`,
  );
  const due = new Set(
    rows
      .filter(([, count, last]) => Number(count) > Math.max(rowsMin, factor * Number(last)))
      .map(([table]) => String(table)),
  );
  return questionTables.filter((table) => due.has(table));
}

async function rewrite(writer: DuckDBConnection, table: FactsTable): Promise<void> {
  const { columns, order } = tableLayouts[table];
  const months = await rowsOf(
    writer,
    `select month, count(*) from ${table} group by month order by month`,
  );
  await writer.run(createTable("compacted", columns));
  const fill = `insert into compacted
    ${summedInto(table, table, "where month between $1 and $2")} order by ${order.join(", ")}`;
  for (const slice of slices(months.map(([month, rows]) => [Number(month), Number(rows)]))) {
    await writer.run(fill, [...slice], [INTEGER, INTEGER]);
  }
  await writer.run(`drop table ${table}`);
  await writer.run(`alter table compacted rename to ${table}`);
  await writer.run(
    `insert into compactions
     select (select count(*) from compactions), $1, (select count(*) from ${table})`,
    [table],
  );
}

/** Months that are sorted together: [first, last], of about sliceRows rows. */
function slices(months: readonly (readonly [month: number, rows: number])[]) {
  const ends: [first: number, last: number][] = [];
  let left = 0;
  for (const [month, rows] of months) {
    const slice = ends.at(-1);
    if (slice === undefined || left < rows) {
      ends.push([month, month]);
      left = sliceRows;
    } else {
      slice[1] = month;
    }
    left -= rows;
  }
  return ends;
}

async function rowsOf(writer: DuckDBConnection, sql: string) {
  return (await writer.runAndReadAll(sql)).getRows();
}
