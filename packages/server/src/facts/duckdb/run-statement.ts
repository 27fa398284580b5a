import {
  BIGINT,
  type DuckDBConnection,
  type DuckDBPreparedStatement,
  type DuckDBValue,
  INTEGER,
  LIST,
} from "@duckdb/node-api";
import type { BoundValue, Statement } from "./statements.ts";

/** Statements of one connection that are prepared already, by their text. */
export type PreparedStatements = Map<string, DuckDBPreparedStatement>;

/**
 * The most statements that stay prepared on a connection; the closed set of texts is about so
 * large.
 */
const preparedMax = 200;

/** Runs a statement and gives its rows. The connection runs one statement at a time. */
export async function runStatement(
  connection: DuckDBConnection,
  prepared: PreparedStatements,
  { sql, values }: Statement,
): Promise<readonly (readonly DuckDBValue[])[]> {
  let statement = prepared.get(sql);
  if (statement === undefined) {
    if (prepared.size >= preparedMax) forget(prepared);
    statement = await connection.prepare(sql);
    prepared.set(sql, statement);
  }
  for (const [index, value] of values.entries()) bind(statement, index + 1, value);
  const reader = await statement.runAndReadAll();
  return reader.getRows();
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
    case "bigint":
      statement.bindValue(place, BigInt(bound.value), BIGINT);
      break;
    case "integers":
      statement.bindList(place, bound.value, LIST(INTEGER));
      break;
  }
}
