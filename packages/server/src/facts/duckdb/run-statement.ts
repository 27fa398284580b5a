import {
  BIGINT,
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBListType,
  type DuckDBPreparedStatement,
  type DuckDBType,
  INTEGER,
  LIST,
  SMALLINT,
  USMALLINT,
  UTINYINT,
  VARCHAR,
} from "@duckdb/node-api";
import { checkedValue, type Row, type RowShape } from "../../platform/row-shape.ts";
import type { Bound, Fragment } from "../../platform/sql.ts";

/** Statements of one connection that are prepared already, by their text. */
export type PreparedStatements = Map<string, DuckDBPreparedStatement>;

/** A statement's result: chunks of columns side by side, in order. */
export type Chunks = readonly DuckDBDataChunk[];

/**
 * The most statements that stay prepared on a connection; the closed set of texts is about so
 * large.
 */
const preparedMax = 200;

/** Runs a statement and gives its result. The connection runs one statement at a time. */
export async function runStatement(
  connection: DuckDBConnection,
  prepared: PreparedStatements,
  { texts, values }: Fragment,
): Promise<Chunks> {
  const text = texts.join("?");
  let statement = prepared.get(text);
  if (statement === undefined) {
    if (prepared.size >= preparedMax) forget(prepared);
    statement = await connection.prepare(text);
    // TRICKY: a statement with values is planned again each time. One without keeps its plan, and
    // with it the least and greatest value of each column: once there is more, it counts wrong.
    if (values.length > 0) prepared.set(text, statement);
  }
  for (const [index, value] of values.entries()) bind(statement, index + 1, value);
  // The result is complete when it comes: its chunks are taken without another turn of the pool.
  const result = await statement.run();
  return Array.from({ length: result.chunkCount }, (_, index) => result.getChunk(index));
}

/**
 * The rows of a result, in order; it can be paused after each chunk. @throws when a value is not
 * what the shape says, which only a statement of ours that is wrong can cause.
 */
export function* readRows<Shape extends RowShape>(
  shape: Shape,
  chunks: Chunks,
): Generator<void, readonly Row<Shape>[]> {
  const kinds = Object.entries(shape);
  const rows: Row<Shape>[] = [];
  for (const chunk of chunks) {
    if (chunk.columnCount !== kinds.length) {
      throw new Error(`facts: ${chunk.columnCount} columns came, ${kinds.length} were expected`);
    }
    const columns = kinds.map(([name, kind], index) => {
      return { name, kind, vector: chunk.getColumnVector(index) };
    });
    const { rowCount } = chunk;
    for (let row = 0; row < rowCount; row++) {
      const values: Record<string, unknown> = {};
      for (const { name, kind, vector } of columns) {
        values[name] = checkedValue(name, kind, vector.getItem(row));
      }
      rows.push(values as Row<Shape>);
    }
    yield;
  }
  return rows;
}

function forget(prepared: PreparedStatements): void {
  for (const statement of prepared.values()) statement.destroySync();
  prepared.clear();
}

/** The engine's types of the values that facts are asked with. */
const types: Partial<Record<Bound["type"], DuckDBType>> = {
  UInt8: UTINYINT,
  UInt16: USMALLINT,
  Int16: SMALLINT,
  Int32: INTEGER,
  Int64: BIGINT,
  String: VARCHAR,
  "Array(Int32)": LIST(INTEGER),
};

function bind(statement: DuckDBPreparedStatement, place: number, { type, value }: Bound): void {
  const own = types[type];
  if (own === undefined) throw new Error(`facts: no value of type ${type} can be bound`);
  if (typeof value === "object") statement.bindList(place, value, own as DuckDBListType);
  else statement.bindValue(place, type === "Int64" ? BigInt(value) : value, own);
}
