import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { temporaryFolder } from "../test-service.ts";
import { startClickhouseServer } from "./clickhouse-server.ts";

test("a server that is killed has what was inserted when it is started again", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const killed = await startClickhouseServer(folder);
  await killed.command("create database kept");
  await killed.command("create table kept.things (id UInt8) engine MergeTree order by id");
  await killed.command("insert into kept.things values (1)");
  await killed.kill();
  const again = await startClickhouseServer(folder, { port: killed.port });
  const query = encodeURIComponent("select id from kept.things");
  const reply = await fetch(`${again.url("")}?query=${query}`);
  assert.equal(await reply.text(), "1\n");
  await again.stop();
});
