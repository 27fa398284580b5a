import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startClickhouseServer } from "@sightline/test-kit/engines/clickhouse-server.ts";
import { startPostgresServer } from "@sightline/test-kit/engines/postgres-server.ts";

/** The servers of a cluster of one shard, all below one folder. */
export type ClusterServers = Awaited<ReturnType<typeof startClusterServers>>;

/** Starts them, with empty databases or with what the folder holds. */
export async function startClusterServers(folder: string) {
  mkdirSync(folder, { recursive: true }); // PostgreSQL's user has to pass through it
  const postgres = await startPostgresServer(join(folder, "postgres"));
  const clickhouse = await startClickhouseServer(join(folder, "clickhouse"));
  const address = {
    postgresUrl: postgres.url("postgres"),
    clickhouseUrl: clickhouse.url("bench"),
    clickhouseCluster: null,
    clickhouseReplicated: false,
  };
  return {
    address,
    postgres,
    environment: {
      SIGHTLINE_POSTGRES_URL: address.postgresUrl,
      SIGHTLINE_CLICKHOUSE_URL: address.clickhouseUrl,
    },
    stop: async () => {
      await clickhouse.stop();
      await postgres.stop();
    },
  };
}
