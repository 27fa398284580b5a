import { Migrator } from "kysely/migration";
import { PostgresUnavailableError } from "../../platform/postgres.ts";
import type { ControlDatabase } from "../database.ts";
import { postgresMigrations } from "../migrations.ts";
import { lockInSession } from "./advisory-locks.ts";
import { clusterMigrations } from "./cluster-migrations.ts";
import { requireOwnSession } from "./own-session.ts";
import { openPostgresDatabase } from "./postgres-dialect.ts";

const migrations = { ...postgresMigrations, ...clusterMigrations };

/** Building an index of a large table may take long, and no request waits for it. */
const migrationMs = 86_400_000;
/** One connection holds the lock, the other migrates. */
const connectionsMax = 2;

/**
 * Migrates a database to the current tables. Nodes that start together wait for each other; an
 * up-to-date database is not locked.
 * @returns the names of the migrations that this call applied.
 * @throws when a later version of Sightline has migrated the database, and behind a pooler.
 */
export async function migratePostgres(url: string): Promise<readonly string[]> {
  const database = await openPostgresDatabase(url, { statementMs: migrationMs, connectionsMax });
  try {
    await requireOwnSession(database, migrationMs);
    if (await isCurrent(database)) return [];
    return await database.connection().execute(async (connection) => {
      await lockInSession(connection, "migrations");
      return migrate(database);
    });
  } finally {
    await database.destroy();
  }
}

async function migrate(database: ControlDatabase): Promise<readonly string[]> {
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
    // A new migration of both engines may follow those of a cluster.
    allowUnorderedMigrations: true,
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return results.map(({ migrationName }) => migrationName);
}

/** Whether exactly the known migrations have been applied. */
async function isCurrent(database: ControlDatabase): Promise<boolean> {
  const applied = await appliedMigrations(database);
  return applied.size === Object.keys(migrations).length && missingOf(applied).length === 0;
}

/** The names of the migrations that have not been applied yet, in order. */
export async function missingMigrations(database: ControlDatabase): Promise<readonly string[]> {
  return missingOf(await appliedMigrations(database));
}

function missingOf(applied: ReadonlySet<string>): readonly string[] {
  return Object.keys(migrations).filter((name) => !applied.has(name));
}

/** The applied migrations; empty for a new database, which does not have their table. */
async function appliedMigrations(database: ControlDatabase): Promise<ReadonlySet<string>> {
  const applied = await database
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom("kysely_migration")
    .select("name")
    .execute()
    .catch((error: unknown) => {
      if (error instanceof PostgresUnavailableError) throw error;
      return [];
    });
  return new Set(applied.map(({ name }) => name));
}
