import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  SqliteDialect,
  SqliteDriver,
} from "kysely";
import { Migrator } from "kysely/migration";
import { openSqlite, type SqliteDatabase } from "../platform/sqlite.ts";
import { migrations } from "./migrations.ts";
import type { ControlTables } from "./schema.ts";

/** Control's tables through Kysely. */
export type ControlDatabase = Kysely<ControlTables>;

/** An open control database: Kysely and the underlying connection. */
export interface OpenControl {
  readonly database: ControlDatabase;
  readonly connection: SqliteDatabase;
}

/**
 * Opens control in a SQLite file and migrates it. Processes may do so concurrently: the first to
 * take the lock migrates, the others wait.
 * @param last the last migration to apply; omitted: all.
 * @throws when a later version of Sightline has migrated the file.
 */
export async function openControlDatabase(path: string, last?: string): Promise<OpenControl> {
  const connection = openSqlite(path);
  const database = new Kysely<ControlTables>({
    dialect: new ControlDialect(connection),
  });
  try {
    await migrate({ database, connection }, last);
    return { database, connection };
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

class ControlDialect extends SqliteDialect {
  readonly #connection: SqliteDatabase;

  constructor(connection: SqliteDatabase) {
    super({ database: connection });
    this.#connection = connection;
  }

  override createDriver(): ControlDriver {
    return new ControlDriver(this.#connection);
  }
}

/** Begins every transaction as a writer. */
class ControlDriver extends SqliteDriver {
  readonly #connection: SqliteDatabase;

  constructor(connection: SqliteDatabase) {
    super({ database: connection });
    this.#connection = connection;
  }

  /**
   * TRICKY: a transaction that first reads, and writes after another process wrote, fails
   * immediately: SQLite does not wait there. So each transaction takes the write lock first, for
   * which SQLite waits.
   */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }

  /**
   * TRICKY: SQLite rolls back by itself when the disk is full. A second rollback by Kysely would
   * fail and hide the cause.
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection.inTransaction) await super.rollbackTransaction(connection);
  }
}

/**
 * TRICKY: Kysely migrates SQLite without a lock and outside of a transaction, and the lock that an
 * adapter can add is released before the migration begins. SQLite can do both: its schema changes
 * are transactional, and an immediate transaction blocks other writers.
 */
async function migrate(
  { database, connection }: OpenControl,
  last: string | undefined,
): Promise<void> {
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
  });
  connection.exec("begin immediate");
  try {
    const { error } = await (last === undefined
      ? migrator.migrateToLatest()
      : migrator.migrateTo(last));
    if (error !== undefined) throw error;
    connection.exec("commit");
  } catch (error) {
    if (connection.inTransaction) connection.exec("rollback");
    throw error;
  }
}
