import { constant, type Fragment } from "../../platform/clickhouse/statement.ts";

/** A table of ClickHouse. */
export interface ClickhouseTable {
  readonly name: string;
  /** Name, type and codec. */
  readonly columns: readonly (readonly [name: string, type: string, codec: string])[];
  readonly order: readonly string[];
  /** Columns that tables of earlier versions lack. */
  readonly added?: readonly string[];
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

/** The statements that make a table on one node, in order; each may be repeated. */
export function createTable(table: ClickhouseTable, deployment: Deployment): readonly Fragment[] {
  const { database, cluster, replicated } = deployment;
  const local = localName(table.name, deployment);
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
  const create = `create table if not exists ${database}.${local} (
      ${definitions.join(",\n      ")}
    ) engine ${engineOf(table, deployment)}
    order by (${table.order.join(", ")})
    settings ${Object.entries(settings)
      .map(([name, value]) => `${name} = ${value}`)
      .join(", ")}`;
  const added = table.columns.filter(([name]) => table.added?.includes(name));
  const add = (to: string) =>
    added.map(([name, type, codec]) => {
      const column = `add column if not exists ${name} ${type} codec(${codec})`;
      return constant(`alter table ${database}.${to} ${column}`);
    });
  if (cluster === null) return [constant(create), ...add(local)];
  return [
    constant(create),
    ...add(local),
    constant(`create table if not exists ${database}.${table.name} as ${database}.${local}
      engine Distributed('${cluster}', '${database}', '${local}', sipHash64(account_id))`),
    ...added.map(([name, type]) =>
      constant(`alter table ${database}.${table.name} add column if not exists ${name} ${type}`),
    ),
  ];
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
