import { Kysely, type MigrationLockOptions, SqliteAdapter, SqliteDialect, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { openSqlite } from "../platform/sqlite.ts";
import { migrations } from "./migrations.ts";
import type { ControlTables } from "./schema.ts";

/** Control's tables through Kysely. */
export type ControlDatabase = Kysely<ControlTables>;

/**
 * Opens control in a SQLite file and brings it to today's tables. Several processes may do so at
 * once: the first to take the lock migrates, the others wait and find it done.
 */
export async function openControlDatabase(path: string): Promise<ControlDatabase> {
  const database = new Kysely<ControlTables>({ dialect: new LockingSqliteDialect(path) });
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return database;
  await database.destroy();
  throw error;
}

class LockingSqliteDialect extends SqliteDialect {
  constructor(path: string) {
    super({ database: openSqlite(path) });
  }

  override createAdapter(): SqliteAdapter {
    return new LockingSqliteAdapter();
  }
}

/**
 * Kysely takes no migration lock on SQLite and migrates outside a transaction. SQLite can do both:
 * its schema changes are transactional, and a first write in the transaction makes others wait.
 */
class LockingSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  override async acquireMigrationLock(
    database: Kysely<unknown>,
    options: MigrationLockOptions,
  ): Promise<void> {
    await sql`update ${sql.table(options.lockTable)} set is_locked = 0`.execute(database);
  }
}
