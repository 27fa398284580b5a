import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedClickhouse } from "@sightline/test-kit/engines/clickhouse-database.ts";
import { startShards } from "@sightline/test-kit/engines/clickhouse-shards.ts";
import { clusterEngines } from "@sightline/test-kit/engines/cluster-engines.ts";
import { openClickhouse } from "../../answers/clickhouse/open-clickhouse.ts";
import { constant, type Statement, sql } from "../../platform/sql.ts";
import { migrateClickhouse, requireOneServer, requireTables } from "./migrate-clickhouse.ts";

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

const selectPortrayals = {
  query: sql`select max(portrayal) from appearances`,
  shape: { portrayal: "number" },
} as const satisfies Statement<{ portrayal: "number" }>;

/** Settings of one server. */
const alone = { clickhouseCluster: null, clickhouseReplicated: false } as const;

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
  const asking = clickhouse.query(selectPortrayals);
  await assert.rejects(asking, /lacks tables or columns of this version: run sightline migrate$/);
  assert.deepEqual((await migrateClickhouse(address)).created, lacking.toSorted());
  assert.deepEqual(await clickhouse.query(selectColumns), today);
  assert.deepEqual((await migrateClickhouse(address)).created, []);
});

test("a database may have any name of letters, digits and _, also that of a number", async () => {
  const server = await sharedClickhouse();
  for (const name of ["2024", "1e5", "select", "_"]) {
    const address = { clickhouseUrl: server.url(name), ...alone };
    assert.ok((await migrateClickhouse(address)).created.length > 0, name);
    assert.deepEqual((await migrateClickhouse(address)).created, [], name);
    await server.command(`drop database \`${name}\``);
  }
});

test("several addresses without a cluster are of one server, or nothing starts", async (t) => {
  const shards = await startShards(t);
  const [first = "", second = ""] = shards.urls("split").split(",");
  await migrateClickhouse({ clickhouseUrl: `${first},${first}`, ...alone });
  const split = { clickhouseUrl: `${first},${second}`, ...alone };
  const why = /lead to 2 servers, and each would have a part of the answers: name their cluster/;
  await assert.rejects(migrateClickhouse(split), why);
  await assert.rejects(requireOneServer(split), why);
  await shards.kill(1);
  await requireOneServer(split); // one that is away is not waited for
});

test("replicated tables of a cluster that no server knows are not opened", async () => {
  const server = await sharedClickhouse();
  const address = { clickhouseUrl: server.url("default"), clickhouseReplicated: true };
  const opening = openClickhouse({ ...address, clickhouseCluster: "absent" });
  await assert.rejects(opening, /has no cluster absent in its configuration/);
});
