import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { Client } from "pg";
import { temporaryFolder } from "../test-service.ts";
import { postgresUrl } from "./postgres-database.ts";
import { startPostgresServer } from "./postgres-server.ts";

test("each caller gets a database of its own on one server", async () => {
  const [one, other] = await Promise.all([postgresUrl(), postgresUrl()]);
  assert.notEqual(one, other);
  assert.equal(new URL(one).host, new URL(other).host);
  for (const url of [one, other]) {
    const client = new Client(url);
    await client.connect();
    await client.query("create table things (id bigint)");
    const { rows } = await client.query("select count(*)::int as count from things");
    assert.deepEqual(rows, [{ count: 0 }]);
    await client.end();
  }
});

test("a server that is killed has what was committed when it is started again", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const killed = await startPostgresServer(folder);
  const client = await killed.connect();
  await client.query("create table things (id bigint)");
  await client.query("insert into things values (1)");
  await killed.kill();
  const again = await startPostgresServer(folder, { port: killed.port });
  const { rows } = await (await again.connect()).query("select id from things");
  await again.stop();
  assert.deepEqual(rows, [{ id: "1" }]);
});
