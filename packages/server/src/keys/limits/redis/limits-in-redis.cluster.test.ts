import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { startFaultProxy } from "@sightline/test-kit/engines/fault-proxy.ts";
import { redisUrl, sharedRedis } from "@sightline/test-kit/engines/redis-database.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { startSample } from "@sightline/test-kit/sample-account.ts";
import { until } from "@sightline/test-kit/until.ts";

const exchangePath = "/v1/auth/accesskey/exchange";

async function sampleBehindProxy(t: TestContext, redisDown: "local" | "refuse") {
  const { host, port } = await sharedRedis();
  const proxy = await startFaultProxy({ host, port });
  t.after(proxy.close);
  const url = proxy.through(await redisUrl());
  const limits = { rateLimit: "20/s", dailyQuota: "11" };
  const { service, accountId } = await startSample(t, { redisUrl: url, redisDown, ...limits });
  const key = await service.key(accountId);
  const exchange = (token = key) => service.post(exchangePath, { token });
  const redisUp = async () => {
    service.clock.advance(1_000); // the text of /metrics is kept for a second
    const { body } = await service.request("GET", "/metrics");
    return /^sightline_limits_redis_up (\d)$/m.exec(body)?.[1];
  };
  const upIs = (value: string) =>
    until(`the metric is ${value}`, async () => ((await redisUp()) === value ? true : null));
  const newKey = () => service.key(accountId);
  return { service, proxy, exchange, newKey, redisUp, upIs };
}

test("the fields of the limits, and 429 with Retry-After, by Redis's clock", async (t) => {
  const { exchange, newKey, redisUp, upIs } = await sampleBehindProxy(t, "local");
  // On a busy machine Redis may reply too late; then the node counts by itself, and reports it.
  const replies = await until("Redis counts all calls", async () => {
    await upIs("1");
    const key = await newKey();
    const made = await Promise.all(Array.from({ length: 40 }, () => exchange(key)));
    return (await redisUp()) === "1" ? made : null;
  });
  const passed = replies.filter(({ status }) => status === 200);
  assert.equal(passed.length, 11);
  const [first, refused] = [passed[0], replies.find(({ status }) => status === 429)];
  assert.ok(first && refused);
  assert.equal(first.headers["ratelimit-policy"], '"rate";q=40;w=2, "day";q=11;w=86400');
  assert.match(String(first.headers["ratelimit"]), /^"rate";r=39;t=1, "day";r=10;t=\d+$/);
  assertProblem(refused, "quota_exhausted");
  const seconds = Number(refused.headers["retry-after"]);
  assert.ok(seconds > 0 && seconds <= 86_400);
  assert.equal(refused.headers["ratelimit"], `"day";r=0;t=${seconds}`);
});

test("Redis away: the node goes on by itself, by default", async (t) => {
  const { exchange, proxy, upIs } = await sampleBehindProxy(t, "local");
  assert.equal((await exchange()).status, 200);
  proxy.set({ kind: "half-open" });
  await upIs("0");
  assert.equal((await exchange()).status, 200);
  proxy.set({ kind: "pass" });
  await upIs("1");
  assert.equal((await exchange()).status, 200);
});

test("Redis away: 503 with Retry-After when the operator chose so, also for guesses", async (t) => {
  const { exchange, proxy, upIs } = await sampleBehindProxy(t, "refuse");
  proxy.set({ kind: "reset" });
  await upIs("0");
  for (const token of [undefined, "sl_guess"]) {
    const refused = await exchange(token);
    assertProblem(refused, "overloaded");
    assert.equal(refused.headers["retry-after"], "1");
  }
  proxy.set({ kind: "pass" });
  await upIs("1");
  assert.equal((await exchange()).status, 200);
});

test("failed exchanges of an address count in Redis", async (t) => {
  const { exchange } = await sampleBehindProxy(t, "local");
  const statuses: number[] = [];
  for (let guess = 0; guess < 11; guess++) statuses.push((await exchange("sl_guess")).status);
  assert.deepEqual(statuses, [...new Array<number>(10).fill(401), 429]);
});
