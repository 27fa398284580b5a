import { createTable, type Deployment, quoted } from "../../answers/clickhouse/create-table.ts";
import { addressesOf, deploymentOf } from "../../answers/clickhouse/deployment.ts";
import { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import type { ClickhouseAddress } from "../../platform/cluster-address.ts";
import { constant, type Statement, sql } from "../../platform/sql.ts";
import { clickhouseTables, missingTables } from "./missing-tables.ts";
import { requireOneServer } from "./one-server.ts";

/** What the migration of ClickHouse has done. */
export interface ClickhouseMigration {
  /** Nodes that have the tables now. */
  readonly nodes: number;
  /** Tables, and columns of earlier tables, that a node lacked; empty: nothing was to be done. */
  readonly created: readonly string[];
}

/**
 * Makes the database and its tables at every node. Safe to repeat, also by several nodes at the
 * same time.
 * @throws when the cluster has nodes whose addresses were not given, and when the addresses are of
 * several servers without a cluster.
 */
export async function migrateClickhouse(address: ClickhouseAddress): Promise<ClickhouseMigration> {
  const deployment = deploymentOf(address);
  const { database, cluster, replicated } = deployment;
  // The database may not be there yet, so nothing is asked of it.
  const urls = addressesOf(address).map((url) => {
    return Object.assign(new URL(url), { pathname: "/" }).toString();
  });
  const clickhouse = await Clickhouse.open(urls);
  try {
    await clickhouse.everywhere(constant(`create database if not exists ${quoted(database)}`));
    const created = await missingTables(clickhouse, deployment);
    await Promise.all(
      clickhouseTables.map(async (table) => {
        for (const statement of createTable(table, deployment)) {
          await clickhouse.everywhere(statement, replicated);
        }
      }),
    );
    if (cluster !== null) await checkNodes(clickhouse, deployment);
    await requireOneServer(address);
    return { nodes: urls.length, created: created.toSorted() };
  } finally {
    await clickhouse.close();
  }
}

/** The nodes are asked by way of the cluster, which knows them all. */
async function checkNodes(
  clickhouse: Clickhouse,
  { database, cluster }: Deployment,
): Promise<void> {
  const named = { type: "String", value: cluster ?? "" } as const;
  const all = {
    query: sql`select
        (select count() from system.clusters where cluster = ${named}),
        (select count() from clusterAllReplicas(${constant(`'${cluster}'`)}, system.tables)
         where database = ${{ type: "String", value: database }} and name = 'answers_local')`,
    shape: { nodes: "number", ready: "number" },
  } as const satisfies Statement<{ nodes: "number"; ready: "number" }>;
  const [row] = await clickhouse.query(all);
  if (row === undefined || row.nodes === 0) {
    throw new Error(`ClickHouse has no cluster ${cluster} in its configuration`);
  }
  if (row.ready < row.nodes) {
    throw new Error(
      `${row.nodes - row.ready} of ${row.nodes} nodes of the cluster ${cluster} have no tables: ` +
        "name the address of each node, separated by commas",
    );
  }
}
