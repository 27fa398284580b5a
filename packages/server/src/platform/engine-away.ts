import { ClickhouseError } from "./clickhouse/clickhouse-error.ts";
import { PostgresUnavailableError } from "./postgres.ts";

/**
 * Whether an error, by its causes, says that an engine of the cluster is away or overloaded: the
 * same work may succeed once it is back, and nothing else is wrong.
 */
export function isEngineAway(error: unknown): boolean {
  if (error instanceof PostgresUnavailableError) return true;
  if (error instanceof ClickhouseError) return error.fault === "unavailable";
  return error instanceof Error && error.cause !== undefined && isEngineAway(error.cause);
}
