import { deploymentOf } from "../../answers/clickhouse/deployment.ts";
import { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import type { ClickhouseAddress } from "../../platform/cluster-address.ts";
import { type EngineState, hostOf } from "../../platform/engine-state.ts";
import { type Statement, sql } from "../../platform/sql.ts";
import { missingTables } from "./missing-tables.ts";

const querySeconds = 5;

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
  const clickhouse = await Clickhouse.open([server], { limits: { querySeconds } });
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
        ...{ table, bytes, isOfEngine: ofEngine === 1 },
      })),
    missing: () => missingTables(clickhouse, deployment),
    close: () => clickhouse.close(),
  };
}
