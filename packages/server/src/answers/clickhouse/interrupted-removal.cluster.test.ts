import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { accountId, answer, idOf } from "@sightline/test-kit/contracts/answer-store-contract.ts";
import { clusterEngines } from "@sightline/test-kit/engines/cluster-engines.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import type { PoolClient } from "pg";
import type { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import { openPostgres } from "../../platform/postgres.ts";
import type { Fragment } from "../../platform/sql.ts";
import { everyAnswer } from "../answer-store.ts";
import { clickhouseAnswerStore } from "./clickhouse-answer-store.ts";

const clock = new HeldClock();
const one = { ...answer, id: idOf(1) };

/** The store of a node whose statements at every server wait for something before. */
async function nodes(t: TestContext, before: (statement: Fragment) => Promise<void>) {
  const engines = await clusterEngines(t);
  const { postgresUrl } = engines.address;
  const pool = await openPostgres(postgresUrl, { statementMs: 10_000, connectionsMax: 4 });
  t.after(() => pool.end());
  const waiting = new Proxy(engines.clickhouse, {
    get: (clickhouse, name) => {
      if (name === "everywhere") {
        return async (statement: Fragment) => {
          await before(statement);
          await clickhouse.everywhere(statement);
        };
      }
      const value: unknown = Reflect.get(clickhouse, name);
      return typeof value === "function" ? value.bind(clickhouse) : value;
    },
  }) satisfies Clickhouse;
  return {
    engines,
    paused: (pool = engines.pool) =>
      clickhouseAnswerStore({ ...engines, pool, clickhouse: waiting, clock }),
    other: clickhouseAnswerStore({ ...engines, pool, clock }),
  };
}

test("a removal that goes on too late removes nothing that another node recorded", async (t) => {
  let isPaused = false;
  const { engines, paused, other } = await nodes(t, async () => {
    if (isPaused) return;
    isPaused = true;
    // As of a node that sleeps: PostgreSQL ends its connection, and another node goes on.
    await engines.pool.query(
      "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted",
    );
    assert.deepEqual(await other.record(accountId, [one]), ["accepted"]);
  });
  await other.record(accountId, [one]);
  await assert.rejects(paused().remove(accountId, everyAnswer));
  assert.ok(isPaused);
  const read = await other.read(accountId, { after: 0, limit: 9 });
  assert.deepEqual(
    read.map(({ id }) => id),
    [one.id],
  );
});

test("the connection that locks an account's texts is used while ClickHouse works", async (t) => {
  const beats = Promise.withResolvers<void>();
  const { engines, paused } = await nodes(t, () => beats.promise);
  await paused().record(accountId, [one]);
  const watched = new Proxy(engines.pool, {
    get: (pool, name) => {
      if (name === "connect") {
        return async () => {
          const client: PoolClient = await pool.connect();
          const query = client.query.bind(client) as (text: unknown) => unknown;
          t.mock.method(client, "query", (text: unknown, ...values: readonly unknown[]) => {
            if (text === "select 1") beats.resolve();
            return Reflect.apply(query, client, [text, ...values]);
          });
          return client;
        };
      }
      const value: unknown = Reflect.get(pool, name);
      return typeof value === "function" ? value.bind(pool) : value;
    },
  });
  const removal = { fromMs: 0, beforeMs: Number.MAX_SAFE_INTEGER, mentionedIn: () => [] };
  const removed = await paused(watched).removeTexts(accountId, { ...removal, limit: 9 });
  assert.equal(removed.answers, 1);
});
