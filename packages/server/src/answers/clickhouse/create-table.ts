import { constant, type Fragment } from "../../platform/sql.ts";

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
