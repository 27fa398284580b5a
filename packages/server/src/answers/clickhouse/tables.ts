import type { Pool } from "pg";
import type { Clickhouse, Insertion } from "../../platform/clickhouse/clickhouse.ts";
import { type BlockColumn, nativeBlock } from "../../platform/clickhouse/native-block.ts";
import type { ClickhouseAddress } from "../../platform/cluster-address.ts";
import { constant, type Fragment, type Statement, sql } from "../../platform/sql.ts";

/** A table of ClickHouse. */
export interface ClickhouseTable {
  readonly name: string;
  /**
   * Name, type and codec. Later versions add columns at the end, which rows of before have empty;
   * one whose type is to change gets another name.
   */
  readonly columns: readonly (readonly [name: string, type: string, codec: string])[];
  readonly order: readonly string[];
  readonly engine: "MergeTree" | "ReplacingMergeTree";
  /** Rows between two marks: few where rows are looked up one by one. */
  readonly granularity: number;
  /** Other orders of its rows, as ClickHouse's projections. */
  readonly projections?: readonly string[];
}

/** On what tables are made. */
export interface Deployment {
  readonly database: string;
  /** Null: one server. */
  readonly cluster: string | null;
  readonly replicated: boolean;
}

/**
 * Inserts that a table remembers, so that one of them is not carried out twice. It is repeated
 * within seconds; at 500 inserts a second into all accounts' table these are 20 seconds.
 */
const deduplicationWindow = 10_000;

/**
 * The statements that make a table on one node, or give one of an earlier version the columns that
 * came since; in order, and each may be repeated.
 */
export function createTable(table: ClickhouseTable, deployment: Deployment): readonly Fragment[] {
  const { database, cluster, replicated } = deployment;
  const local = localName(table.name, deployment);
  const within = quoted(database);
  const definitions = [
    ...table.columns.map(([name, type, codec]) => `${name} ${type} codec(${codec})`),
    ...(table.projections ?? []).map((projection) => `projection ${projection}`),
  ];
  const settings = {
    index_granularity: table.granularity,
    // One server keeps an insert on its disk; replicas keep it on several machines.
    ...(replicated ? {} : { fsync_after_insert: 1, fsync_part_directory: 1 }),
    ...(replicated ? {} : { non_replicated_deduplication_window: deduplicationWindow }),
  };
  const create = `create table if not exists ${within}.${local} (
      ${definitions.join(",\n      ")}
    ) engine ${engineOf(table, deployment)}
    order by (${table.order.join(", ")})
    settings ${Object.entries(settings)
      .map(([name, value]) => `${name} = ${value}`)
      .join(", ")}`;
  // A replica takes the next alteration once it has the one before.
  const onEach = replicated ? " settings alter_sync = 2" : "";
  const withColumns = (to: string, codecs: boolean) => {
    const added = table.columns.map(([name, type, codec]) => {
      return `add column if not exists ${name} ${type}${codecs ? ` codec(${codec})` : ""}`;
    });
    const settled = codecs ? onEach : "";
    return constant(`alter table ${within}.${to} ${added.join(", ")}${settled}`);
  };
  const ofNode = [constant(create), withColumns(local, true)];
  if (cluster === null) return ofNode;
  return [
    ...ofNode,
    constant(`create table if not exists ${within}.${table.name} as ${within}.${local}
      engine Distributed('${cluster}', '${database}', '${local}', sipHash64(account_id))`),
    withColumns(table.name, false),
  ];
}

/** The name of a database in SQL: it may be a number. */
export function quoted(database: string): string {
  return `\`${database}\``;
}

/** The name of the table that has rows: behind a Distributed one on a cluster. */
export function localName(name: string, { cluster }: Deployment): string {
  return cluster === null ? name : `${name}_local`;
}

function engineOf({ engine }: ClickhouseTable, { replicated }: Deployment): string {
  if (!replicated) return engine;
  // The server fills in the braces; its configuration says which shard and replica it is.
  const path = "/clickhouse/tables/{shard}/{database}/{table}";
  return `Replicated${engine}('${path}', '{replica}')`;
}

/** The addresses of all nodes. */
export function addressesOf({ clickhouseUrl }: ClickhouseAddress): readonly string[] {
  return clickhouseUrl.split(",").map((url) => url.trim());
}

/** On what tables are made at an address. @throws when a name is none of ClickHouse's. */
export function deploymentOf(address: ClickhouseAddress): Deployment {
  const { clickhouseCluster: cluster, clickhouseReplicated: replicated } = address;
  const databases = addressesOf(address).map((url) => new URL(url).pathname.slice(1) || "default");
  const [database = "default"] = databases;
  if (new Set(databases).size > 1) throw new Error("every node has to have the same database");
  for (const name of [database, cluster ?? ""]) {
    if (!/^\w*$/.test(name)) throw new Error(`${name} is not a name of letters, digits and _`);
  }
  return { database, cluster, replicated };
}

/**
 * Ids are looked up one by one, thousands at a time, and lie at random: a mark of 128 rows has the
 * server read 3 KB for each.
 */
const idsPerMark = 128;

/** The record of all accounts, in the order of recording. */
export const answersTable: ClickhouseTable = {
  name: "answers",
  columns: [
    ["account_id", "UUID", "ZSTD(1)"],
    ["sequence", "UInt64", "Delta, ZSTD(1)"],
    ["id", "UUID", "ZSTD(1)"],
    ["content_hash", "FixedString(32)", "NONE"],
    ["prompt_id", "UUID", "ZSTD(1)"],
    ["provider", "LowCardinality(String)", "ZSTD(1)"],
    // Empty: none.
    ["region", "LowCardinality(String)", "ZSTD(1)"],
    ["answered_at", "Int64", "Delta, ZSTD(1)"],
    ["outcome", "LowCardinality(String)", "ZSTD(1)"],
    ["text", "String", "ZSTD(3)"],
    // As JSON.
    ["citations", "String", "ZSTD(3)"],
    // As JSON: null, or a text; an empty model is another than none.
    ["model", "LowCardinality(String)", "ZSTD(1)"],
    ["surface", "LowCardinality(String)", "ZSTD(1)"],
    ["sample", "UInt64", "ZSTD(1)"],
    ["metadata", "String", "ZSTD(3)"],
    ["recorded_at", "Int64", "Delta, ZSTD(1)"],
    // As JSON, see RemovedText; empty: the text is there.
    ["mentioned", "String", "ZSTD(1)"],
    // As JSON; empty: nothing is known.
    ["search_queries", "String", "ZSTD(3)"],
    ["cost", "String", "ZSTD(1)"],
    ["vendor", "LowCardinality(String)", "ZSTD(1)"],
    ["requested_region", "LowCardinality(String)", "ZSTD(1)"],
  ],
  order: ["account_id", "sequence"],
  engine: "MergeTree",
  // Answers have kilobytes: readers take some hundreds at a time.
  granularity: 512,
  projections: [
    `by_id (select account_id, id, sequence, content_hash order by account_id, id)
      with settings (index_granularity = ${idsPerMark})`,
  ],
};

/**
 * The raw replies of all accounts; of several rows of an answer, the last one inserted counts. Ids
 * are texts: ClickHouse orders UUIDs by their second half.
 */
export const rawRepliesTable: ClickhouseTable = {
  name: "raw_replies",
  columns: [
    ["account_id", "UUID", "ZSTD(1)"],
    ["answer_id", "String", "ZSTD(1)"],
    ["vendor", "LowCardinality(String)", "ZSTD(1)"],
    ["kept_at", "Int64", "ZSTD(1)"],
    // Compressed already.
    ["body", "String", "NONE"],
  ],
  order: ["account_id", "answer_id"],
  engine: "ReplacingMergeTree",
  // Bodies may have megabytes: readers take a few at a time.
  granularity: 16,
};

/** Where rows of a deleted account are removed. */
export interface ErasureContext {
  readonly clickhouse: Clickhouse;
  readonly deployment: Deployment;
  readonly accountId: string;
}

/** Removes an account's rows from a table at every node, and waits until they are gone. */
export async function eraseRows(
  table: string,
  { clickhouse, deployment, accountId }: ErasureContext,
): Promise<void> {
  const account = { type: "UUID", value: accountId } as const;
  const rows = {
    query: sql`select count() from ${constant(table)} where account_id = ${account}`,
    shape: { rows: "number" },
  } as const satisfies Statement<{ rows: "number" }>;
  const [found] = await clickhouse.query(rows);
  if (found?.rows === 0) return; // to look costs nothing, to remove rewrites whole parts
  await clickhouse.everywhere(sql`alter table ${constant(localName(table, deployment))} delete
    where account_id = ${account} settings mutations_sync = 2`);
}

/** Removes an account's record; its writers must have ended. */
export async function eraseRecord(
  context: ErasureContext & { readonly pool: Pool },
): Promise<void> {
  const { pool, accountId } = context;
  await pool.query("delete from cluster_batches where account_id = $1", [accountId]);
  await pool.query("delete from cluster_records where account_id = $1", [accountId]);
  await eraseRows("raw_replies", context);
  await eraseRows("answers", context);
}

/** Rows, given as columns side by side, and the token of their insert into a table. */
export function insertion(
  table: string,
  token: string,
  { rows, columns }: { readonly rows: number; readonly columns: readonly BlockColumn[] },
): Insertion {
  const names = columns.map(({ name }) => name).join(", ");
  return {
    query: `insert into ${table} (${names}) format Native`,
    token: `${token}/${table}`,
    block: nativeBlock(rows, columns),
  };
}
