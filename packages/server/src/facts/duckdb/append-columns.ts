import { setImmediate } from "node:timers/promises";
import { type DuckDBConnection, DuckDBDataChunk } from "@duckdb/node-api";
import type { Column } from "./layout.ts";

/** The most rows that one of the engine's chunks holds. */
const chunkRowsMax = 2_048;

/**
 * Appends rows, given as columns side by side, within the connection's transaction. Others go on
 * after each chunk: the engine takes it on this thread.
 */
export async function appendColumns(
  connection: DuckDBConnection,
  { table, columns }: { readonly table: string; readonly columns: readonly Column[] },
  values: readonly (Int32Array | BigInt64Array)[],
): Promise<void> {
  const rows = values[0]?.length ?? 0;
  if (rows === 0) return;
  const types = columns.map(([, type]) => type);
  const appender = await connection.createAppender(table);
  for (let start = 0; start < rows; start += chunkRowsMax) {
    const end = Math.min(start + chunkRowsMax, rows);
    const chunk = DuckDBDataChunk.create(types, end - start);
    for (const [index, column] of values.entries()) {
      const vector = chunk.getColumnVector(index);
      for (let row = start; row < end; row++) vector.setItem(row - start, column[row] ?? null);
      vector.flush();
    }
    appender.appendDataChunk(chunk);
    appender.flushSync();
    await setImmediate();
  }
  appender.closeSync();
}
