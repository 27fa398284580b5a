import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import {
  clickhouseUrl,
  sharedClickhouse,
} from "@sightline/test-kit/engines/clickhouse-database.ts";
import { until } from "@sightline/test-kit/until.ts";
import { Clickhouse, type ClickhouseLimits } from "../../platform/clickhouse/clickhouse.ts";
import { ClickhouseError } from "../../platform/clickhouse/clickhouse-error.ts";
import { type RowShape, sql } from "../../platform/sql.ts";

async function opened(t: TestContext, limits: Partial<ClickhouseLimits> = {}) {
  const clickhouse = await Clickhouse.open([(await sharedClickhouse()).url("default")], { limits });
  t.after(() => clickhouse.close());
  return clickhouse;
}

const number = { number: "number" } as const satisfies RowShape;

/** It counts for hours. */
const endless = { query: sql`select count() from numbers(1000000000000000)`, shape: number };

function isUnavailable(error: unknown): boolean {
  return error instanceof ClickhouseError && error.fault === "unavailable";
}

test("values reach the server as what they are, whatever they hold", async (t) => {
  const clickhouse = await opened(t);
  const text = "it's {p0:String} \\ \n\t` 日本 👍 \u0001";
  const ids = Array.from({ length: 2_000 }, (_, index) => `${index}'`.padStart(36, "-"));
  const list = { type: "Array(String)", value: ids } as const;
  const query = sql`select ${{ type: "String", value: text }}, ${{ type: "Int64", value: -5 }},
    length(${list}), ${list}[7], cast(null as Nullable(String))`;
  const shape = {
    text: "text",
    less: "number",
    count: "number",
    seventh: "text",
    nothing: "text or null",
  } as const satisfies RowShape;
  const rows = await clickhouse.query({ query, shape });
  const seventh = ids[6];
  assert.deepEqual(rows, [{ text, less: -5, count: 2_000, seventh, nothing: null }]);
});

test("a result of another shape is refused", async (t) => {
  const clickhouse = await opened(t);
  const wrong = [sql`select 'text'`, sql`select 1, 2`, sql`select cast(null as Nullable(UInt8))`];
  for (const query of wrong) {
    await assert.rejects(clickhouse.query({ query, shape: number }), /column/);
  }
});

test("the server stops what nobody waits for any more", async (t) => {
  const clickhouse = await opened(t);
  const running = async () => {
    const query = sql`select count() from system.processes where query like '%000000000000000)%'
      and query not like '%processes%'`;
    return (await clickhouse.query({ query, shape: number }))[0]?.number;
  };
  const leaving = new AbortController();
  const asking = clickhouse.query(endless, leaving.signal);
  await until("the question runs", async () => ((await running()) === 1 ? true : null));
  leaving.abort();
  await assert.rejects(asking, { name: "AbortError" });
  await until("the question is gone", async () => ((await running()) === 0 ? true : null));
});

test("a statement that takes too long or too much memory may be tried again", async (t) => {
  const hasty = await opened(t, { querySeconds: 1 });
  await assert.rejects(hasty.query(endless), isUnavailable);
  const small = await opened(t, { memoryBytes: 20_000_000 });
  const query = sql`select length(groupArray(number)) from numbers(20000000)`;
  await assert.rejects(small.query({ query, shape: number }), isUnavailable);
});

test("an error after the first rows is never the end of a result", async (t) => {
  const clickhouse = await opened(t);
  const query = sql`select number + throwIf(number = 200000) from numbers(250000)
    settings max_block_size = 1000`;
  await assert.rejects(clickhouse.query({ query, shape: number }), ClickhouseError);
  let rows = 0;
  const reading = async () => {
    for await (const row of clickhouse.stream({ query, shape: number }))
      rows += row.number + 1 && 1;
  };
  await assert.rejects(reading(), ClickhouseError);
  assert.ok(rows > 0 && rows <= 200_000);
});

test("a server without tables says what to do", async (t) => {
  const clickhouse = await Clickhouse.open([await clickhouseUrl()]);
  t.after(() => clickhouse.close());
  const asking = clickhouse.query({ query: sql`select count() from appearances`, shape: number });
  await assert.rejects(asking, /run sightline migrate/);
});

test("several addresses: the next one is asked when one is away", async (t) => {
  const server = await sharedClickhouse();
  const clickhouse = await Clickhouse.open(["http://127.0.0.1:9", server.url("default")]);
  t.after(() => clickhouse.close());
  const one = { query: sql`select 1`, shape: number };
  assert.deepEqual(await clickhouse.query(one), [{ number: 1 }]);
  const away = await Clickhouse.open(["http://127.0.0.1:9"]);
  t.after(() => away.close());
  await assert.rejects(away.query(one), isUnavailable);
});

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

test("in turn, a server is told nothing before the one in front of it is done", async (t) => {
  let asked = 0;
  let most = 0;
  const server = createServer(async (request, response) => {
    most = Math.max(most, ++asked);
    request.resume();
    // Long enough for whatever was sent at the same time to arrive.
    await fetch(`http://127.0.0.1:${portOf(other)}`);
    asked--;
    response.end();
  });
  const other = createServer((_, response) => void response.end());
  for (const each of [server, other]) {
    await once(each.listen(0, "127.0.0.1"), "listening");
    t.after(() => each.close());
  }
  t.after(() => server.closeAllConnections());
  const url = `http://127.0.0.1:${portOf(server)}`;
  const clickhouse = await Clickhouse.open([`${url}/a`, `${url}/b`, `${url}/c`]);
  t.after(() => clickhouse.close());
  const statement = sql`alter table t add column if not exists a Int8`;
  await clickhouse.everywhere(statement, true);
  assert.equal(most, 1);
});
