import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Clickhouse } from "../../../server/src/platform/clickhouse/clickhouse.ts";
import { sql } from "../../../server/src/platform/sql.ts";
import { clickhouseUrl } from "./clickhouse-database.ts";
import { startFaultProxy } from "./fault-proxy.ts";

const shape = { number: "number" } as const;
const numbers = (count: number) => ({
  query: sql`select number from numbers(${{ type: "UInt32", value: count }})`,
  shape,
});

async function throughProxy(t: TestContext) {
  const url = new URL(await clickhouseUrl());
  url.pathname = "/default";
  const proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port) });
  t.after(() => proxy.close());
  const clickhouse = await Clickhouse.open([proxy.through(url.href)]);
  t.after(() => clickhouse.close());
  return { proxy, clickhouse };
}

test("a question over a dead connection ends early, and is sent again", async (t) => {
  const { proxy, clickhouse } = await throughProxy(t);
  assert.equal((await clickhouse.query(numbers(3))).length, 3);
  proxy.set({ kind: "half-open" });
  const started = performance.now();
  await assert.rejects(clickhouse.query(numbers(3)), { fault: "unavailable" });
  assert.ok(performance.now() - started < 15_000); // of 32 s
  const pending = clickhouse.query(numbers(5));
  proxy.set({ kind: "pass" });
  const back = performance.now();
  assert.equal((await pending).length, 5); // sent again
  assert.ok(performance.now() - back < 5_000);
});

test("a statement for every node that a dead connection lost is sent again", async (t) => {
  const { proxy, clickhouse } = await throughProxy(t);
  proxy.set({ kind: "half-open" });
  const statement = sql`create database if not exists sent_again`;
  const lost = clickhouse.everywhere(statement);
  await assert.rejects(clickhouse.command(statement), { fault: "unavailable" }); // sent once
  proxy.set({ kind: "pass" });
  await lost;
});

test("a reply that trickles ends when nobody waits for it any more", async (t) => {
  const { proxy, clickhouse } = await throughProxy(t);
  proxy.set({ kind: "trickle", bytes: 16, everyMs: 50 });
  const reason = new Error("nobody waits");
  const asked = clickhouse.query(numbers(20_000), abortedSoon(reason));
  await assert.rejects(asked, reason);
});

test("a server that works for long is left to it", async (t) => {
  const { clickhouse } = await throughProxy(t);
  const query = sql`
    select sum(sleepEachRow(1)) as number from numbers(2) settings max_block_size = 1`;
  assert.deepEqual(await clickhouse.query({ query, shape }), [{ number: 0 }]);
});

function abortedSoon(reason: Error): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 700).unref();
  return controller.signal;
}
