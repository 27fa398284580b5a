import type { TestContext } from "node:test";
import { openClickhouse } from "../../../server/src/answers/clickhouse/open-clickhouse.ts";
import { deploymentOf } from "../../../server/src/answers/clickhouse/tables.ts";
import { migrateClickhouse } from "../../../server/src/facts/clickhouse/migrate-clickhouse.ts";
import type { ClickhouseLimits } from "../../../server/src/platform/clickhouse/clickhouse.ts";
import { openPostgres } from "../../../server/src/platform/postgres.ts";
import { dropClickhouse } from "./clickhouse-database.ts";
import { migratedClickhouseUrl } from "./migrated-clickhouse.ts";
import { migratedPostgresUrl } from "./migrated-postgres.ts";

/** What answers and facts of a cluster are kept with, empty; gone with the test. */
export type ClusterEngines = Awaited<ReturnType<typeof clusterEngines>>;

/** A new database of ClickHouse and one of PostgreSQL, with their tables. */
export async function clusterEngines(
  t: Pick<TestContext, "after">,
  {
    urls,
    cluster = null,
    limits = {},
  }: {
    readonly urls?: string;
    readonly cluster?: string | null;
    readonly limits?: Partial<ClickhouseLimits>;
  } = {},
) {
  const address = {
    postgresUrl: await migratedPostgresUrl(),
    clickhouseUrl: urls ?? (await migratedClickhouseUrl()),
    clickhouseCluster: cluster,
    clickhouseReplicated: false,
  };
  if (urls !== undefined) await migrateClickhouse(address);
  const pool = await openPostgres(address.postgresUrl, { statementMs: 10_000, connectionsMax: 8 });
  t.after(() => pool.end());
  const clickhouse = await openClickhouse(address, limits);
  t.after(() => clickhouse.close());
  if (urls === undefined) t.after(() => dropClickhouse(address.clickhouseUrl));
  return { address, clickhouse, pool, deployment: deploymentOf(address) };
}
