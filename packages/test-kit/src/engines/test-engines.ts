import type { Config } from "../../../server/src/config.ts";

/** On which engines this process's tests run; tasks/test sets it. */
const testEngines = process.env["SIGHTLINE_TEST_ENGINES"] === "cluster" ? "cluster" : "embedded";

// Loaded with this file and not by the first test: they stop their servers after all tests.
const cluster = testEngines === "cluster" ? await clusterEngines() : null;

async function clusterEngines() {
  const databases = await import("./clickhouse-database.ts");
  const clickhouse = await import("./migrated-clickhouse.ts");
  const { copiedPostgresUrl, migratedPostgresUrl } = await import("./migrated-postgres.ts");
  return { ...databases, ...clickhouse, copiedPostgresUrl, migratedPostgresUrl };
}

/** The addresses of a service's engines; none when they are embedded. */
export type EngineSettings = Partial<Record<keyof Config, string>>;

/** Settings that give a service empty engines of its own; none when they are embedded. */
export async function engineSettings(): Promise<EngineSettings> {
  if (cluster === null) return {};
  const [postgresUrl, clickhouseUrl] = await Promise.all([
    cluster.migratedPostgresUrl(),
    cluster.migratedClickhouseUrl(),
  ]);
  return { postgresUrl, clickhouseUrl };
}

/** Settings that give a service copies of engines, which no service uses any more. */
export async function copiedEngines(original: EngineSettings): Promise<EngineSettings> {
  const { postgresUrl, clickhouseUrl } = original;
  if (cluster === null || postgresUrl === undefined || clickhouseUrl === undefined) return {};
  return {
    postgresUrl: await cluster.copiedPostgresUrl(postgresUrl),
    clickhouseUrl: await cluster.copiedClickhouseUrl(clickhouseUrl),
  };
}

/** Takes engines away that cost while they are there, when their service is closed. */
export async function dropEngines({ clickhouseUrl }: EngineSettings): Promise<void> {
  if (clickhouseUrl !== undefined) await cluster?.dropClickhouse(clickhouseUrl);
}
