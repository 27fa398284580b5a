import { migratePostgres } from "../control/postgres/migrate-postgres.ts";
import type { ClusterAddress } from "../platform/cluster-address.ts";

/** What a migration has done. */
export interface MigrationReport {
  /** Migrations of PostgreSQL that were applied, by name; empty: it was current. */
  readonly postgres: readonly string[];
  /** What was made in ClickHouse, by name; empty: it was current. */
  readonly clickhouse: readonly string[];
}

/** Makes every table of a cluster. Safe to repeat, also by several nodes at the same time. */
export async function migrateCluster(address: ClusterAddress): Promise<MigrationReport> {
  const postgres = await migratePostgres(address.postgresUrl);
  // Its drivers are loaded here: one node has no use for them.
  const { migrateClickhouse } = await import("../facts/clickhouse/migrate-clickhouse.ts");
  const { created } = await migrateClickhouse(address);
  return { postgres, clickhouse: created };
}
