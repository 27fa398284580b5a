import { sql } from "kysely";
import type { ControlDatabase } from "../database.ts";

/** A pooler is in front of PostgreSQL, and shares its connections. */
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
 * Locks, notices and deadlines belong to a connection. A pooler that gives each transaction another
 * one would lose them; it also ignores the deadline that we ask for, which shows it.
 * @throws PoolerError when the connection has another deadline than it was opened with.
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
