/**
 * What PostgreSQL decides of answers and facts in ClickHouse (docs/decisions/cluster.md),
 * in addition to control's own tables. Numbers above `committed` do not count, nor do those in
 * `abandoned`.
 */
export const clusterTables: readonly string[] = [
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
 * `removing`: what is being removed from a record, as JSON; until it is, nobody reads or writes
 * answers. `cluster_batches`: the places that an import's answers took, a row per commit.
 */
export const removalTables: readonly string[] = [
  "alter table cluster_records add column removing text",
  `create table cluster_batches (
     account_id uuid not null,
     import_id uuid not null,
     first_sequence bigint not null,
     last_sequence bigint not null,
     primary key (account_id, import_id, first_sequence)
   )`,
];
