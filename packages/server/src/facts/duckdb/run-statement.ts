import {
  BIGINT,
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBPreparedStatement,
  INTEGER,
  LIST,
  SMALLINT,
  USMALLINT,
  UTINYINT,
} from "@duckdb/node-api";
import type { BoundValue, Fragment } from "./statement.ts";

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
  { sql, values }: Fragment,
): Promise<Chunks> {
  let statement = prepared.get(sql);
  if (statement === undefined) {
    if (prepared.size >= preparedMax) forget(prepared);
    statement = await connection.prepare(sql);
    // TRICKY: a statement with values is planned anew each time. One without keeps its plan, and
    // with it the least and greatest value of each column: once there is more, it counts wrong.
    if (values.length > 0) prepared.set(sql, statement);
  }
  for (const [index, value] of values.entries()) bind(statement, index + 1, value);
  // The result is complete when it comes: its chunks are taken without another turn of the pool.
  const result = await statement.run();
  return Array.from({ length: result.chunkCount }, (_, index) => result.getChunk(index));
}

function forget(prepared: PreparedStatements): void {
  for (const statement of prepared.values()) statement.destroySync();
  prepared.clear();
}

function bind(statement: DuckDBPreparedStatement, place: number, bound: BoundValue): void {
  switch (bound.type) {
    case "integer":
      statement.bindValue(place, bound.value, INTEGER);
      break;
    case "smallint":
      statement.bindValue(place, bound.value, SMALLINT);
      break;
    case "usmallint":
      statement.bindValue(place, bound.value, USMALLINT);
      break;
    case "utinyint":
      statement.bindValue(place, bound.value, UTINYINT);
      break;
    case "bigint":
      statement.bindValue(place, BigInt(bound.value), BIGINT);
      break;
    case "text":
      statement.bindVarchar(place, bound.value);
      break;
    case "integers":
      statement.bindList(place, bound.value, LIST(INTEGER));
      break;
  }
}
