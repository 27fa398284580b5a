import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { clusterTables, removalTables } from "./cluster-tables.ts";

type AnyTables = Kysely<Record<string, Record<string, unknown>>>;

/** The channel on which triggers say that accounts, workspaces or keys were written. */
export const changesChannel = "sightline_control";

/**
 * What a SQLite file does not need, because one process serves it: after the tables of both, by
 * name. As there, a released migration is never changed.
 */
export const clusterMigrations: Readonly<Record<string, Migration>> = {
  "cluster-0001-notices": { up: createNotices },
  "cluster-0002-leases": { up: createLeases },
  "cluster-0003-clickhouse": { up: createClusterTables },
  "cluster-0004-removals": { up: createRemovals },
};

/**
 * What notes progress and uses does not count: else every import would make all nodes read their
 * keys again.
 */
const noticed = {
  accounts: "insert or delete or update of id, name, revision",
  keys:
    "insert or delete or update of account_id, hash, expires_at, revoked_at, " +
    "rate_limit, daily_quota",
  signing_keys: "insert or delete or update",
} as const;

async function createNotices(database: AnyTables): Promise<void> {
  await sql`
    create function sightline_notice() returns trigger language plpgsql as $$
    begin
      perform pg_notify(${sql.lit(changesChannel)}, '');
      return null;
    end
    $$`.execute(database);
  for (const [table, events] of Object.entries(noticed)) {
    await sql`
      create trigger sightline_notice after ${sql.raw(events)} on ${sql.table(table)}
      for each statement execute function sightline_notice()`.execute(database);
  }
}

async function createLeases(database: AnyTables): Promise<void> {
  const text = sql`text collate "C"`;
  await database.schema
    .createTable("leases")
    .addColumn("account_id", text, (column) => column.primaryKey().references("accounts.id"))
    .addColumn("holder", text, (column) => column.notNull())
    .addColumn("fence", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "timestamptz", (column) => column.notNull())
    .execute();
  // One row at most.
  await database.schema
    .createTable("pepper")
    .addColumn("one", "boolean", (column) => column.primaryKey().check(sql`one`))
    .addColumn("fingerprint", text, (column) => column.notNull())
    .execute();
}

async function createRemovals(database: AnyTables): Promise<void> {
  for (const statement of removalTables) await sql.raw(statement).execute(database);
}

async function createClusterTables(database: AnyTables): Promise<void> {
  for (const statement of clusterTables) await sql.raw(statement).execute(database);
}
