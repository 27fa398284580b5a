import { sql } from "kysely";
import type { ControlDatabase } from "../database.ts";

/** PostgreSQL is behind a pooler that shares connections. */
export class PoolerError extends Error {
  constructor() {
    super(
      "PostgreSQL is behind a pooler, such as PgBouncer, that ignores statement_timeout: locks " +
        "and notices would be lost. Give the address of PostgreSQL itself (--postgres-url).",
    );
    this.name = "PoolerError";
  }
}

/**
 * Checks that the connection is our own. Locks, notifications and timeouts belong to a connection:
 * a pooler that switches connections between transactions would lose them. Such a pooler also
 * ignores the statement timeout of the connection, which reveals it.
 * @throws PoolerError when the connection has another statement timeout than it was opened with.
 */
export async function requireOwnSession(
  database: ControlDatabase,
  statementMs: number,
): Promise<void> {
  const { rows } = await sql<{ setting: string }>`
    select setting from pg_settings where name = 'statement_timeout'`.execute(database);
  if (Number(rows[0]?.setting) === statementMs) return;
  throw new PoolerError();
}
