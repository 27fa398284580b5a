import { LeaseLostError } from "../../control/leases.ts";
import { ClickhouseError } from "../../platform/clickhouse/clickhouse-error.ts";
import { PostgresUnavailableError, withUnavailable } from "../../platform/postgres.ts";
import { FactsError, GenerationGoneError } from "../facts-engine.ts";

/** An error of ClickHouse or PostgreSQL as one of the facts; what says enough stays what it is. */
export function factsFailure(error: unknown): unknown {
  if (isOurs(error)) return error;
  if (error instanceof ClickhouseError) {
    return new FactsError(error.fault === "unavailable" ? "unavailable" : "other", error);
  }
  const failure = withUnavailable(error);
  if (failure instanceof PostgresUnavailableError) return new FactsError("unavailable", failure);
  return failure instanceof TypeError ? failure : new FactsError("other", failure);
}

function isOurs(error: unknown): boolean {
  return [FactsError, GenerationGoneError, LeaseLostError].some((each) => error instanceof each);
}
