import assert from "node:assert/strict";
import { test } from "node:test";
import { type ClickhouseTable, createTable } from "./tables.ts";

const table: ClickhouseTable = {
  name: "names",
  columns: [
    ["account_id", "UUID", "ZSTD(1)"],
    ["number", "UInt64", "NONE"],
  ],
  order: ["account_id", "number"],
  engine: "ReplacingMergeTree",
  granularity: 128,
};

const made = (cluster: string | null, replicated: boolean) =>
  createTable(table, { database: "sightline", cluster, replicated }).map(({ texts }) =>
    texts.join("").replaceAll(/\s+/g, " "),
  );

const columnsSince = (codecs: boolean) =>
  `add column if not exists account_id UUID${codecs ? " codec(ZSTD(1))" : ""}, ` +
  `add column if not exists number UInt64${codecs ? " codec(NONE)" : ""}`;
const columns = "( account_id UUID codec(ZSTD(1)), number UInt64 codec(NONE) )";
const durable =
  "index_granularity = 128, fsync_after_insert = 1, fsync_part_directory = 1, " +
  "non_replicated_deduplication_window = 10000";
const distributed =
  "create table if not exists `sightline`.names as `sightline`.names_local " +
  "engine Distributed('shards', 'sightline', 'names_local', sipHash64(account_id))";

test("on one server, a table that writes inserts to the disk and remembers them", () => {
  assert.deepEqual(made(null, false), [
    `create table if not exists \`sightline\`.names ${columns} engine ReplacingMergeTree ` +
      `order by (account_id, number) settings ${durable}`,
    `alter table \`sightline\`.names ${columnsSince(true)}`,
  ]);
});

test("on a cluster, a local table at each node, and one over the shards", () => {
  assert.deepEqual(made("shards", false), [
    `create table if not exists \`sightline\`.names_local ${columns} engine ReplacingMergeTree ` +
      `order by (account_id, number) settings ${durable}`,
    `alter table \`sightline\`.names_local ${columnsSince(true)}`,
    distributed,
    `alter table \`sightline\`.names ${columnsSince(false)}`,
  ]);
});

test("replicated local tables: the server's configuration names shard and replica", () => {
  assert.deepEqual(made("shards", true), [
    `create table if not exists \`sightline\`.names_local ${columns} engine ` +
      "ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', " +
      "'{replica}') " +
      "order by (account_id, number) settings index_granularity = 128",
    `alter table \`sightline\`.names_local ${columnsSince(true)} settings alter_sync = 2`,
    distributed,
    `alter table \`sightline\`.names ${columnsSince(false)}`,
  ]);
});
