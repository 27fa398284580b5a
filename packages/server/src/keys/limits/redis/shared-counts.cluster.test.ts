import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { controlOf } from "@sightline/test-kit/engines/control-of.ts";
import { type Fault, startFaultProxy } from "@sightline/test-kit/engines/fault-proxy.ts";
import { redisUrl, sharedRedis } from "@sightline/test-kit/engines/redis-database.ts";
import { type RedisServer, startRedisServer } from "@sightline/test-kit/engines/redis-server.ts";
import { recordedLog } from "@sightline/test-kit/recorded-log.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import { systemClock } from "../../../platform/clock.ts";
import { ServiceError } from "../../../platform/service-error.ts";
import { createKey } from "../../key-store.ts";
import type { CallCounts } from "../call-counts.ts";
import { usageOfKey, usageStore } from "../usage-store.ts";
import { openSharedCounts, type SharedCountsOptions } from "./shared-counts.ts";

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";
const keyId = "key";
const today = () => Math.floor(Date.now() / 86_400_000);

/** Control with a key, which several nodes share. */
async function sharedControl(t: TestContext) {
  const control = await controlOf(accountId);
  t.after(() => control.close());
  await createKey(
    control,
    accountId,
    {
      id: keyId,
      name: "test",
      hash: Buffer.alloc(32),
      expiresAt: null,
      ratePerSecond: null,
      dailyQuota: null,
      scopes: ["read"],
    },
    systemClock.now(),
  );
  return control;
}

type NodeOptions = Pick<SharedCountsOptions, "url" | "store"> & Partial<SharedCountsOptions>;

/** A node, and whether Redis counts its calls. */
async function openNode(t: TestContext, options: NodeOptions) {
  const { logger, lines } = recordedLog();
  const changes: boolean[] = [];
  const onChange = (isUp: boolean) => void changes.push(isUp);
  const clock = systemClock;
  // Longer than a busy machine lets a Redis wait that is there.
  const answerMs = 1_000;
  const parts = { whenDown: "local" as const, answerMs, clock, logger, onChange, ...options };
  const counts = await openSharedCounts(parts);
  t.after(() => counts.close().catch(() => undefined));
  const becomes = (isUp: boolean, withinMs?: number) =>
    until(
      `Redis is ${isUp ? "up" : "away"}`,
      () => (changes.at(-1) === isUp ? true : null),
      withinMs,
    );
  return { counts, lines, changes, becomes };
}

/** Takes calls concurrently. @returns how many were counted. */
async function takeMany(
  nodes: readonly { readonly counts: CallCounts }[],
  calls: number,
  quota: number,
) {
  const call = { keyId, ratePerSecond: null, dailyQuota: quota };
  const taken = await Promise.all(
    Array.from({ length: calls }, (_, place) =>
      nodes[place % nodes.length]?.counts.take(accountId, call),
    ),
  );
  return taken.filter((each) => each?.refusedBy === null).length;
}

async function ownRedis(t: TestContext) {
  const folder = temporaryFolder();
  let server: RedisServer = await startRedisServer(folder);
  t.after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });
  return {
    url: server.url(),
    kill: () => server.kill(),
    start: async () => {
      server = await startRedisServer(folder, { port: server.port });
    },
  };
}

test("200 concurrent calls over two nodes never take one too many of the day", async (t) => {
  const control = await sharedControl(t);
  const url = await redisUrl();
  const nodes = [
    await openNode(t, { url, store: usageStore(control) }),
    await openNode(t, { url, store: usageStore(control) }),
  ];
  assert.equal(await takeMany(nodes, 200, 77), 77);
  await Promise.all(nodes.map(({ counts }) => counts.save()));
  assert.equal(await usageOfKey(control, keyId, today()), 77);
  await Promise.all(nodes.map(({ counts }) => counts.save()));
  assert.equal(await usageOfKey(control, keyId, today()), 77, "a call is saved once");
});

test("a node that starts goes on where the day is, in Redis or in control", async (t) => {
  const control = await sharedControl(t);
  const first = await openNode(t, { url: await redisUrl(), store: usageStore(control) });
  assert.equal(await takeMany([first], 5, 10), 5);
  await first.counts.close();
  const emptyRedis = await redisUrl();
  const other = await openNode(t, { url: emptyRedis, store: usageStore(control) });
  assert.equal(await takeMany([other], 10, 10), 5);
});

test("Redis is killed, nodes count alone, and go on together when it is back, empty", async (t) => {
  const control = await sharedControl(t);
  const redis = await ownRedis(t);
  const node = await openNode(t, { url: redis.url, store: usageStore(control) });
  const other = await openNode(t, { url: redis.url, store: usageStore(control) });
  assert.equal(await takeMany([node, other], 40, 1_000), 40);
  await Promise.all([node, other].map(({ counts }) => counts.save()));

  await redis.kill();
  assert.equal(await takeMany([node, other], 40, 60), 40, "20 left, for each node by itself");
  await Promise.all([node.becomes(false), other.becomes(false)]);
  assert.match(String(node.lines.at(-1)?.["msg"]), /Redis does not count calls/);

  await redis.start();
  await Promise.all([node.becomes(true), other.becomes(true)]);
  await Promise.all([node, other].map(({ counts }) => counts.save()));
  assert.equal(await usageOfKey(control, keyId, today()), 80);
  // One after another: a Redis that has just begun may not answer hundreds of calls in time.
  let taken = 0;
  for (let call = 0; call < 15; call++) taken += await takeMany([node, other], 2, 100);
  assert.equal(taken, 20);
  assert.deepEqual(node.changes, [true, false, true]);
});

test("calls that a node counted alone are added to a Redis that kept its counts", async (t) => {
  const control = await sharedControl(t);
  const { host, port } = await sharedRedis();
  const proxy = await startFaultProxy({ host, port });
  t.after(proxy.close);
  const url = await redisUrl();
  const node = await openNode(t, { url, store: usageStore(control) });
  const cutOff = await openNode(t, { url: proxy.through(url), store: usageStore(control) });
  assert.equal(await takeMany([node, cutOff], 10, 100), 10);
  proxy.set({ kind: "reset" });
  await cutOff.becomes(false);
  assert.equal(await takeMany([cutOff], 20, 100), 20);
  assert.equal(await takeMany([node], 5, 100), 5);
  proxy.set({ kind: "pass" });
  await cutOff.becomes(true);
  for (const { counts } of [cutOff, cutOff, node]) await counts.save();
  assert.equal(await takeMany([node], 100, 100), 65);
});

const faults: Readonly<Record<string, Fault>> = {
  slow: { kind: "delay", ms: 1_500 },
  reset: { kind: "reset" },
  "half-open": { kind: "half-open" },
  trickling: { kind: "trickle", bytes: 1, everyMs: 300 },
  "cut in the middle of a reply": { kind: "cut", afterBytes: 3 },
};

for (const [name, fault] of Object.entries(faults)) {
  test(`a Redis that is ${name}: local limits or a clean 503, until it is back`, async (t) => {
    const control = await sharedControl(t);
    const { host, port } = await sharedRedis();
    const proxy = await startFaultProxy({ host, port });
    t.after(proxy.close);
    const url = proxy.through(await redisUrl());
    const local = await openNode(t, { url, store: usageStore(control) });
    const refusing = await openNode(t, { url, store: usageStore(control), whenDown: "refuse" });
    const call = { keyId, ratePerSecond: 10, dailyQuota: 1_000_000 };
    const take = ({ counts }: typeof local) => counts.take(accountId, call);
    for (const node of [local, refusing]) assert.equal((await take(node)).refusedBy, null);

    proxy.set(fault);
    assert.equal((await take(local)).refusedBy, null);
    await assert.rejects(take(refusing), (error: unknown) => {
      assert.ok(error instanceof ServiceError);
      assert.deepEqual([error.code, error.headers["Retry-After"]], ["overloaded", "1"]);
      return true;
    });
    await Promise.all([local.becomes(false), refusing.becomes(false)]);
    assert.equal((await local.counts.beginLookup("192.0.2.1")).verdict.allowed, true);
    await assert.rejects(refusing.counts.beginLookup("192.0.2.1"), /overloaded/);

    proxy.set({ kind: "pass" });
    await Promise.all([local.becomes(true), refusing.becomes(true)]);
    for (const node of [local, refusing]) assert.equal((await take(node)).refusedBy, null);
  });
}

test("an idle node notices too, and starts without Redis", async (t) => {
  const control = await sharedControl(t);
  const redis = await ownRedis(t);
  await redis.kill();
  const node = await openNode(t, { url: redis.url, store: usageStore(control) });
  assert.deepEqual(node.changes, [false]);
  assert.match(String(node.lines.at(-1)?.["error"]), /ECONNREFUSED/);
  assert.equal(await takeMany([node], 10, 4), 4);
  await redis.start();
  await node.becomes(true);
  await redis.kill();
  await node.becomes(false);
  await redis.start();
});

test("a password is not logged", async (t) => {
  const control = await sharedControl(t);
  const { host, port } = await sharedRedis();
  const url = `redis://user:very-secret@${host}:${port}`;
  const node = await openNode(t, { url, store: usageStore(control) });
  assert.deepEqual(node.changes, [false]);
  assert.equal(node.lines.length, 1);
  assert.equal(node.lines[0]?.["redis"], `${host}:${port}`);
  assert.ok(!JSON.stringify(node.lines).includes("very-secret"));
});
