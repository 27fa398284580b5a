import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

type AnyTables = Kysely<Record<string, Record<string, unknown>>>;

/** The channel on which triggers notify of writes to accounts, workspaces and keys. */
export const changesChannel = "sightline_control";

/**
 * Migrations of a cluster alone, applied by name after those of both engines. A released migration
 * is never changed.
 */
export const clusterMigrations: Readonly<Record<string, Migration>> = {
  "cluster-0001-notices": { up: createNotices },
  "cluster-0002-leases": { up: createLeases },
  "cluster-0003-clickhouse": { up: createClusterTables },
  "cluster-0004-removals": { up: createRemovals },
  "cluster-0005-people": { up: noticePeople },
};

/**
 * Writes that notify. Progress and usage do not: every import would make all nodes reload their
 * keys.
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
  for (const [table, events] of Object.entries(noticed)) await notice(database, table, events);
}

/** Has writes of a table notified. */
async function notice(database: AnyTables, table: string, events: string): Promise<void> {
  await sql`
    create trigger sightline_notice after ${sql.raw(events)} on ${sql.table(table)}
    for each statement execute function sightline_notice()`.execute(database);
}

/** Roles, which nodes cache. That somebody was seen is not notified. */
async function noticePeople(database: AnyTables): Promise<void> {
  await notice(database, "memberships", "insert or delete or update of role");
  await notice(database, "people", "update of name, email");
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
  // Has at most one row.
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

/**
 * State of answers and facts in ClickHouse (docs/decisions/cluster.md), in addition to control's
 * tables. Numbers above `committed` are not visible, nor are those in `abandoned`.
 */
const clusterTables: readonly string[] = [
  `create table cluster_records (
     account_id uuid primary key,
     record_id uuid not null,
     reserved bigint not null default 0,
     committed bigint not null default 0,
     recorded_at bigint,
     abandoned int8multirange not null default '{}'
   )`,
  `create table cluster_generations (
     generation bigint generated always as identity primary key,
     account_id uuid not null,
     snapshot_number integer not null default 0,
     header text not null,
     topics text not null,
     prompts text not null,
     reserved integer not null default 0,
     committed integer not null default 0,
     abandoned integer[] not null default '{}',
     mark_sequence bigint not null default 0,
     mark_stamp text not null default '',
     skipped_count integer not null default 0,
     first_at bigint,
     last_at bigint,
     fold integer not null default 0,
     fold_reserved integer not null default 0,
     fold_rows bigint not null default 0,
     rows_since_fold bigint not null default 0,
     retired_at timestamptz
   )`,
  `create index cluster_generations_of_account
     on cluster_generations (account_id)`,
  `create table cluster_skipped_prompts (
     generation bigint not null references cluster_generations on delete cascade,
     prompt_id text not null,
     primary key (generation, prompt_id)
   )`,
  `create table cluster_facts (
     account_id uuid primary key,
     fence bigint not null default 0,
     current bigint references cluster_generations,
     next bigint references cluster_generations
   )`,
];

/**
 * `removing`: a running removal as JSON, which blocks all reads and writes of the answers.
 * `cluster_batches`: the sequence numbers of an import's answers, a row per commit.
 */
const removalTables: readonly string[] = [
  "alter table cluster_records add column removing text",
  `create table cluster_batches (
     account_id uuid not null,
     import_id uuid not null,
     first_sequence bigint not null,
     last_sequence bigint not null,
     primary key (account_id, import_id, first_sequence)
   )`,
];
