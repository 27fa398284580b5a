import assert from "node:assert/strict";
import { test } from "node:test";
import { startShards } from "../../../test/engines/clickhouse-shards.ts";
import { clusterEngines } from "../../../test/engines/cluster-engines.ts";
import { constant, type Statement, sql } from "../../platform/clickhouse/statement.ts";
import { migrateClickhouse } from "./migrate-clickhouse.ts";
import { requireTables } from "./missing-tables.ts";

const selectColumns = {
  query: sql`select table, name, type, is_in_sorting_key from system.columns
    where database = currentDatabase() order by table, position`,
  shape: { table: "text", name: "text", type: "text", isOfOrder: "number" },
} as const satisfies Statement<{
  table: "text";
  name: "text";
  type: "text";
  isOfOrder: "number";
}>;

const selectRanks = {
  query: sql`select max(rank) from appearances`,
  shape: { rank: "number" },
} as const satisfies Statement<{ rank: "number" }>;

test("tables of an earlier version get the columns that came since, on each shard", async (t) => {
  const shards = await startShards(t);
  const { cluster } = shards;
  const engines = await clusterEngines(t, { urls: shards.urls("sightline"), cluster });
  const { clickhouse, address, deployment } = engines;
  const today = await clickhouse.query(selectColumns);
  await requireTables(clickhouse, deployment);
  const lacking: string[] = [];
  for (const [table, columns] of Map.groupBy(today, (column) => column.table)) {
    const last = columns.at(-1);
    assert.equal(last?.isOfOrder, 0, table);
    await clickhouse.everywhere(constant(`alter table ${table} drop column ${last.name}`));
    lacking.push(`${table}.${last.name}`);
  }
  assert.ok(lacking.length > 10);
  await assert.rejects(requireTables(clickhouse, deployment), ({ message }: Error) => {
    assert.match(message, /^ClickHouse lacks .*: run sightline migrate$/);
    return lacking.every((each) => message.includes(each));
  });
  const asking = clickhouse.query(selectRanks);
  await assert.rejects(asking, /lacks tables or columns of this version: run sightline migrate$/);
  assert.deepEqual((await migrateClickhouse(address)).created, lacking.toSorted());
  assert.deepEqual(await clickhouse.query(selectColumns), today);
  assert.deepEqual((await migrateClickhouse(address)).created, []);
});
