import {
  addressesOf,
  answersTable,
  createTable,
  type Deployment,
  deploymentOf,
  localName,
  quoted,
  rawRepliesTable,
} from "../../answers/clickhouse/tables.ts";
import { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import { ClickhouseError } from "../../platform/clickhouse/clickhouse-error.ts";
import type { ClickhouseAddress } from "../../platform/cluster-address.ts";
import { type EngineState, hostOf } from "../../platform/engine-state.ts";
import { constant, type Statement, sql } from "../../platform/sql.ts";
import { factsTables } from "./facts-tables.ts";

/** All tables of ours. */
export const clickhouseTables = [answersTable, rawRepliesTable, ...factsTables] as const;

/** The tables that every node has, and the columns of each. */
function expectedTables(deployment: Deployment): ReadonlyMap<string, readonly string[]> {
  return new Map(
    clickhouseTables.flatMap((table) => {
      const columns = table.columns.map(([name]) => name);
      return [localName(table.name, deployment), table.name].map(
        (name) => [name, columns] as const,
      );
    }),
  );
}

function selectColumns(database: string) {
  return {
    query: sql`select table, name from system.columns
      where database = ${{ type: "String", value: database }}`,
    shape: { table: "text", name: "text" },
  } as const satisfies Statement<{ table: "text"; name: "text" }>;
}

/** What a node lacks of this version: tables, and columns of tables of an earlier version. */
async function missingTables(
  clickhouse: Clickhouse,
  deployment: Deployment,
): Promise<readonly string[]> {
  const rows = await clickhouse.query(selectColumns(deployment.database));
  const found = Map.groupBy(rows, ({ table }) => table);
  return [...expectedTables(deployment)].flatMap(([table, columns]) => {
    const there = found.get(table)?.map(({ name }) => name);
    if (there === undefined) return [table];
    return columns.filter((each) => !there.includes(each)).map((each) => `${table}.${each}`);
  });
}

/**
 * @throws when a node lacks something: whatever is asked of it would fail, account by account. One
 * that is away is not waited for.
 */
export async function requireTables(clickhouse: Clickhouse, deployment: Deployment): Promise<void> {
  const missing = await missingTables(clickhouse, deployment).catch((error: unknown) => {
    if (error instanceof ClickhouseError && error.fault === "unavailable") return [];
    throw error;
  });
  if (missing.length === 0) return;
  throw new Error(`ClickHouse lacks ${missing.join(", ")}: run sightline migrate`);
}

/** Short: who is away is not waited for. */
const identitySeconds = 2;

/**
 * Without a cluster, all addresses have to lead to the same tables: of two servers each would have
 * a part of the rows, and numbers would be of the one that is asked.
 * @throws when they do not. One that is away is left out.
 */
export async function requireOneServer(address: ClickhouseAddress): Promise<void> {
  const { cluster, database } = deploymentOf(address);
  const urls = addressesOf(address);
  if (cluster !== null || urls.length === 1) return;
  const found = await Promise.all(urls.map((url) => tableAt(url, database)));
  const tables = new Set(found.filter((id) => id !== null));
  if (tables.size < 2) return;
  throw new Error(
    `the addresses of ClickHouse lead to ${tables.size} servers, and each would have a part of ` +
      "the answers: name their cluster (--clickhouse-cluster), or give the address of one",
  );
}

/** What identifies the table of answers that an address leads to; null: none, or it is away. */
async function tableAt(url: string, database: string): Promise<string | null> {
  const clickhouse = await Clickhouse.open([url], { limits: { querySeconds: identitySeconds } });
  const named = {
    query: sql`select toString(uuid) from system.tables
      where database = ${{ type: "String", value: database }} and name = 'answers'`,
    shape: { id: "text" },
  } as const satisfies Statement<{ id: "text" }>;
  try {
    return (await clickhouse.query(named))[0]?.id ?? null;
  } catch (error) {
    if (error instanceof ClickhouseError) return null;
    throw error;
  } finally {
    await clickhouse.close();
  }
}

/** What the migration of ClickHouse has done. */
interface ClickhouseMigration {
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

const stateSeconds = 5;

const selectVersion = {
  query: sql`select version()`,
  shape: { version: "text" },
} as const satisfies Statement<{ version: "text" }>;

const selectNow = {
  query: sql`select toUnixTimestamp64Milli(now64(3))`,
  shape: { nowMs: "number" },
} as const satisfies Statement<{ nowMs: "number" }>;

/** Views have no bytes, and other databases are not ours to look at. */
function selectSizes(database: string) {
  return {
    query: sql`select database || '.' || name as table_name, assumeNotNull(total_bytes) as bytes,
        database = 'system'
      from system.tables
      where database in ('system', ${{ type: "String", value: database }}) and total_bytes > 0
      order by bytes desc, table_name`,
    shape: { table: "text", bytes: "number", ofEngine: "number" },
  } as const satisfies Statement<{ table: "text"; bytes: "number"; ofEngine: "number" }>;
}

/** One server of ClickHouse, at one of the addresses, as the doctor looks at it. */
export async function openClickhouseState(
  url: string,
  address: ClickhouseAddress,
): Promise<EngineState> {
  const deployment = deploymentOf(address);
  const { database } = deployment;
  // The database may be missing, which is to be said, so nothing is asked of it.
  const server = Object.assign(new URL(url), { pathname: "/" }).toString();
  const clickhouse = await Clickhouse.open([server], { limits: { querySeconds: stateSeconds } });
  return {
    kind: "ClickHouse",
    address: hostOf(url),
    version: async () => (await clickhouse.query(selectVersion))[0]?.version ?? "",
    nowMs: async () => {
      const [row] = await clickhouse.query(selectNow);
      if (row === undefined) throw new Error("ClickHouse replied with no row");
      return row.nowMs;
    },
    sizes: async () =>
      (await clickhouse.query(selectSizes(database))).map(({ table, bytes, ofEngine }) => ({
        table,
        bytes,
        isOfEngine: ofEngine === 1,
      })),
    missing: () => missingTables(clickhouse, deployment),
    close: () => clickhouse.close(),
  };
}
