import type { TestContext } from "node:test";
import { deploymentOf } from "../../src/answers/clickhouse/deployment.ts";
import { openClickhouse } from "../../src/answers/clickhouse/open-clickhouse.ts";
import { migratePostgres } from "../../src/control/postgres/migrate-postgres.ts";
import { migrateClickhouse } from "../../src/facts/clickhouse/migrate-clickhouse.ts";
import type { ClickhouseLimits } from "../../src/platform/clickhouse/clickhouse.ts";
import { openPostgres } from "../../src/platform/postgres.ts";
import { clickhouseUrl } from "./clickhouse-database.ts";
import { postgresUrl } from "./postgres-database.ts";

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
    postgresUrl: await postgresUrl(),
    clickhouseUrl: urls ?? (await clickhouseUrl()),
    clickhouseCluster: cluster,
    clickhouseReplicated: false,
  };
  await migratePostgres(address.postgresUrl);
  await migrateClickhouse(address);
  const pool = await openPostgres(address.postgresUrl, { statementMs: 10_000, connectionsMax: 8 });
  t.after(() => pool.end());
  const clickhouse = await openClickhouse(address, limits);
  t.after(() => clickhouse.close());
  return { address, clickhouse, pool, deployment: deploymentOf(address) };
}
