import { version } from "@duckdb/node-api";

/** The version of DuckDB that facts are kept with. */
export function duckdbVersion(): string {
  return version();
}
