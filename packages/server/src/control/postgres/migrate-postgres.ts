import { Migrator } from "kysely/migration";
import { PostgresUnavailableError } from "../../platform/postgres.ts";
import type { ControlDatabase } from "../database.ts";
import { postgresMigrations } from "../migrations.ts";
import { lockInSession } from "./advisory-locks.ts";
import { clusterMigrations } from "./cluster-migrations.ts";
import { requireOwnSession } from "./own-session.ts";
import { openPostgresDatabase } from "./postgres-dialect.ts";

const migrations = { ...postgresMigrations, ...clusterMigrations };

/** An index of a large table may take long, and nobody waits for a reply: a day, not a bound. */
const migrationMs = 86_400_000;
/** One holds the lock, the other migrates. */
const connectionsMax = 2;

/**
 * Brings a database to the current tables. Nodes that start together wait for each other; nothing
 * is locked when there is nothing to do.
 * @returns the names of the migrations that were applied by this call.
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
    // Those of both engines may come after those of a cluster.
    allowUnorderedMigrations: true,
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return results.map(({ migrationName }) => migrationName);
}

/** Whether exactly the known migrations were applied. */
async function isCurrent(database: ControlDatabase): Promise<boolean> {
  const applied = await appliedMigrations(database);
  return applied.size === Object.keys(migrations).length && missingOf(applied).length === 0;
}

/** The migrations that a database does not have yet, by name. */
export async function missingMigrations(database: ControlDatabase): Promise<readonly string[]> {
  return missingOf(await appliedMigrations(database));
}

function missingOf(applied: ReadonlySet<string>): readonly string[] {
  return Object.keys(migrations).filter((name) => !applied.has(name));
}

/** A new database has no table of them. */
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
