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

/** An open control database: Kysely, and the connection under it. */
export interface OpenControl {
  readonly database: ControlDatabase;
  readonly connection: SqliteDatabase;
}

/**
 * Opens control in a SQLite file and migrates it to the current tables. Several processes may do so
 * concurrently: the first to take the lock migrates, the others wait.
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

/** All transactions write. */
class ControlDriver extends SqliteDriver {
  readonly #connection: SqliteDatabase;

  constructor(connection: SqliteDatabase) {
    super({ database: connection });
    this.#connection = connection;
  }

  /**
   * TRICKY: one that begins with reading, and writes after another process wrote, fails
   * immediately: SQLite waits for nobody there. So each takes the file's lock first, for which it
   * waits.
   */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }

  /**
   * TRICKY: SQLite rolls back by itself when the disk is full. Kysely rolls back again, and the
   * failure of that would hide the cause.
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection.inTransaction) await super.rollbackTransaction(connection);
  }
}

/**
 * TRICKY: Kysely takes no lock on SQLite and migrates outside of a transaction, and the lock that
 * an adapter can add is released before the migration begins. SQLite can do both: its schema
 * changes are transactional, and an immediate transaction makes the others wait.
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
