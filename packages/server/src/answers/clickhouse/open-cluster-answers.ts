import type { Pool } from "pg";
import type { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import type { Clock } from "../../platform/clock.ts";
import type { ClusterAddress } from "../../platform/cluster-address.ts";
import { openPostgres } from "../../platform/postgres.ts";
import type { AnswerStore } from "../answer-store.ts";
import { clickhouseAnswerStore } from "./clickhouse-answer-store.ts";
import { deploymentOf } from "./deployment.ts";
import { openClickhouse } from "./open-clickhouse.ts";

/** Where answers and facts of several nodes are, opened. */
export interface ClusterConnections {
  readonly clickhouse: Clickhouse;
  readonly pool: Pool;
  readonly close: () => Promise<void>;
}

/** Every statement reads or writes rows by their keys: who waits longer waits for a dead peer. */
const statementMs = 3_000;
/** An import holds one while it records; questions use one for less than a millisecond. */
const connectionsMax = 16;

/** Opens ClickHouse, and PostgreSQL, which says what of it counts. */
export async function openClusterConnections(address: ClusterAddress): Promise<ClusterConnections> {
  const pool = await openPostgres(address.postgresUrl, { statementMs, connectionsMax });
  const clickhouse = await openClickhouse(address);
  const close = async () => {
    await clickhouse.close();
    await pool.end();
  };
  return { clickhouse, pool, close };
}

/** Opens the records of several nodes, for a thread that needs nothing else. */
export async function openClusterAnswers(
  address: ClusterAddress,
  clock: Clock,
): Promise<AnswerStore> {
  const { clickhouse, pool, close } = await openClusterConnections(address);
  const deployment = deploymentOf(address);
  return { ...clickhouseAnswerStore({ clickhouse, pool, clock, deployment }), close };
}
