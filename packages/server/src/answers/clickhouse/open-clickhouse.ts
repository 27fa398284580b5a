import type { Pool } from "pg";
import { Clickhouse, type ClickhouseLimits } from "../../platform/clickhouse/clickhouse.ts";
import type { Clock } from "../../platform/clock.ts";
import type { ClickhouseAddress, ClusterAddress } from "../../platform/cluster-address.ts";
import { openPostgres } from "../../platform/postgres.ts";
import { type Statement, sql } from "../../platform/sql.ts";
import type { AnswerStore } from "../answer-store.ts";
import { clickhouseAnswerStore } from "./clickhouse-answer-store.ts";
import { addressesOf, deploymentOf } from "./tables.ts";

/**
 * Opens ClickHouse. The driver is loaded; the server may be away, except for replicated tables,
 * of which one has to say how many replicas a shard has.
 * @throws when the cluster of replicated tables is in no configuration of the server.
 */
export async function openClickhouse(
  address: ClickhouseAddress,
  limits: Partial<ClickhouseLimits> = {},
): Promise<Clickhouse> {
  const urls = addressesOf(address);
  if (!address.clickhouseReplicated) return Clickhouse.open(urls, { limits });
  const first = await Clickhouse.open(urls, { limits });
  try {
    const cluster = { type: "String", value: address.clickhouseCluster ?? "" } as const;
    const replicas = {
      query: sql`select max(replica_num) from system.clusters where cluster = ${cluster}`,
      shape: { replicas: "number" },
    } as const satisfies Statement<{ replicas: "number" }>;
    const [row] = await first.query(replicas);
    // Without a number, an insert would count that one replica alone has.
    if (row === undefined || row.replicas === 0) {
      throw new Error(`ClickHouse has no cluster ${cluster.value} in its configuration`);
    }
    // Every replica of the shard has an insert before it counts: whichever is read is complete.
    const settings = {
      insert_quorum: String(row.replicas),
      insert_quorum_parallel: 1,
    } as const;
    return await Clickhouse.open(urls, { limits, settings });
  } finally {
    await first.close();
  }
}

const selectOne = {
  query: sql`select 1`,
  shape: { one: "number" },
} as const satisfies Statement<{ one: "number" }>;

/** @throws ClickhouseError when it does not answer. */
export async function pingClickhouse(clickhouse: Clickhouse): Promise<void> {
  await clickhouse.query(selectOne);
}

/** Where answers and facts of several nodes are, opened. */
interface ClusterConnections {
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
