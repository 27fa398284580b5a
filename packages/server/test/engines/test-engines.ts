import type { Config } from "../../src/config.ts";

/** On which engines this process's tests run; tasks/test sets it. */
export const testEngines =
  process.env["SIGHTLINE_TEST_ENGINES"] === "cluster" ? "cluster" : "embedded";

// Loaded with this file and not by the first test: they stop their servers after all tests.
const cluster = testEngines === "cluster" ? await clusterEngines() : null;

async function clusterEngines() {
  const { clickhouseUrl } = await import("./clickhouse-database.ts");
  const { migratedPostgresUrl } = await import("./migrated-postgres.ts");
  const { migrateClusterEngines } = await import("../../src/cluster-engines.ts");
  return { clickhouseUrl, migratedPostgresUrl, migrateClusterEngines };
}

/** Settings that give a service empty engines of its own; none when they are embedded. */
export async function engineSettings(): Promise<Partial<Record<keyof Config, string>>> {
  if (cluster === null) return {};
  const addresses = {
    postgresUrl: await cluster.migratedPostgresUrl(),
    clickhouseUrl: await cluster.clickhouseUrl(),
  };
  await cluster.migrateClusterEngines({
    ...addresses,
    clickhouseCluster: null,
    clickhouseReplicated: false,
  });
  return addresses;
}
