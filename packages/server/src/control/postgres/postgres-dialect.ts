import {
  type AbortableOperationOptions,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
} from "kysely";
import {
  fromStored,
  openPostgres,
  type PostgresOptions,
  toStored,
  withUnavailable,
} from "../../platform/postgres.ts";
import type { ControlDatabase } from "../database.ts";
import type { ControlTables } from "../schema.ts";

/** Control's tables in PostgreSQL. It connects at the first statement. */
export async function openPostgresDatabase(
  url: string,
  options: PostgresOptions,
): Promise<ControlDatabase> {
  const pool = await openPostgres(url, options);
  return new Kysely<ControlTables>({ dialect: new ControlPostgresDialect({ pool }) });
}

class ControlPostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new ControlPostgresDriver(this.#config);
  }
}

/**
 * Encodes texts that PostgreSQL cannot store, and tells an unreachable server from a failed
 * statement.
 */
class ControlPostgresDriver extends PostgresDriver {
  readonly #known = new WeakSet<DatabaseConnection>();

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection().catch(rethrow);
    if (!this.#known.has(connection)) {
      this.#known.add(connection);
      const execute: DatabaseConnection["executeQuery"] = connection.executeQuery.bind(connection);
      connection.executeQuery = async <Row>(
        query: CompiledQuery,
        options?: AbortableOperationOptions,
      ) => {
        const stored = { ...query, parameters: query.parameters.map(toStoredValue) };
        const result = await execute<Row>(stored, options).catch(rethrow);
        for (const row of result.rows) restoreTexts(row);
        return result;
      };
    }
    return connection;
  }

  /** A failed rollback would hide the cause; Kysely closes that connection. */
  override async rollbackTransaction(
    connection: Parameters<PostgresDriver["rollbackTransaction"]>[0],
  ): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => undefined);
  }
}

function rethrow(error: unknown): never {
  throw withUnavailable(error);
}

function toStoredValue(value: unknown): unknown {
  return typeof value === "string" ? toStored(value) : value;
}

/** In place: the row belongs to this query alone. */
function restoreTexts(row: unknown): void {
  if (typeof row !== "object" || row === null) return;
  for (const [column, value] of Object.entries(row)) {
    if (typeof value !== "string") continue;
    const text = fromStored(value);
    if (text !== value) Object.assign(row, { [column]: text });
  }
}
