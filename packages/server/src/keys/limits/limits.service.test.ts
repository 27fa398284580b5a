import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { rawRequest } from "@sightline/test-kit/requests/raw-request.ts";
import { sampleRange, sampleWorkspace, startSample } from "@sightline/test-kit/sample-account.ts";
import { type TestReply, TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";

const path = "/v1/analytics/brands/mentions";
const exchangePath = "/v1/auth/accesskey/exchange";
const body = { interval: "daily", filters: { timeRange: sampleRange } };

const statuses = (replies: readonly Pick<TestReply, "status">[]) =>
  replies.map(({ status }) => status);

test("a burst of twice the rate, 429 with the fields, and Retry-After suffices", async (t) => {
  // The exchange that makes the session is the first call of the burst.
  const { service, token } = await startSample(t, { rateLimit: "2/s", dailyQuota: "100" });
  const ask = () => service.post(path, { token, body });

  const first = await ask();
  assert.equal(first.headers["ratelimit-policy"], '"rate";q=4;w=2, "day";q=100;w=86400');
  assert.equal(first.headers["ratelimit"], '"rate";r=2;t=1, "day";r=98;t=43200');
  assert.deepEqual(statuses([await ask(), await ask()]), [200, 200]);

  const refused = await ask();
  assertProblem(refused, "rate_limited");
  assert.equal(refused.headers["retry-after"], "1");
  assert.equal(refused.headers["ratelimit"], '"rate";r=0;t=2, "day";r=96;t=43200');

  service.clock.advance(1000);
  assert.deepEqual(statuses([await ask(), await ask(), await ask()]), [200, 200, 429]);
});

test("the quota: its own code, until the next UTC day, also for concurrent calls", async (t) => {
  const { service, token } = await startSample(t, { rateLimit: "off", dailyQuota: "11" });
  const replies = await Promise.all(
    Array.from({ length: 40 }, () => service.post(path, { token, body })),
  );
  assert.equal(replies.filter(({ status }) => status === 200).length, 10);
  const refused = replies.find(({ status }) => status === 429);
  assert.ok(refused);
  assertProblem(refused, "quota_exhausted");
  assert.equal(refused.headers["retry-after"], String(12 * 3600));
  assert.equal(refused.headers["ratelimit"], '"day";r=0;t=43200');

  service.clock.advance(12 * 3_600_000 - 1);
  const session = async () => (await service.post(exchangePath, { token })).status;
  assert.equal(await session(), 401); // it expired; an exchange needs a key
});

test("pipelined questions take one call each", async (t) => {
  const { service, token } = await startSample(t, { rateLimit: "off", dailyQuota: "11" });
  const url = await service.listen();
  const json = JSON.stringify(body);
  const question = (field: string) =>
    `POST ${path} HTTP/1.1\r\nHost: sightline\r\nContent-Type: application/json\r\n` +
    `Authorization: Bearer ${token}\r\nContent-Length: ${json.length}\r\n${field}\r\n${json}`;
  const asked = question("").repeat(11) + question("Connection: close\r\n");
  const replies = await rawRequest(url, asked);
  const left = replies.map(({ headers }) =>
    Number(/r=(\d+)/.exec(headers["ratelimit"] ?? "")?.[1]),
  );
  // Their sessions are checked on other threads, so the order varies.
  assert.deepEqual(new Set(left), new Set([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]));
  const ended = statuses(replies).toSorted();
  assert.deepEqual(ended, [...new Array<number>(10).fill(200), 429, 429]);
});

test("the next UTC day has the whole quota", async (t) => {
  const { service, accountId } = await startSample(t, { rateLimit: "off", dailyQuota: "2" });
  const key = await service.key(accountId);
  const exchange = () => service.post(exchangePath, { token: key });
  const today = [await exchange(), await exchange(), await exchange()];
  assert.deepEqual(statuses(today), [200, 200, 429]);
  service.clock.advance(Number(today[2]?.headers["retry-after"]) * 1000);
  assert.deepEqual(
    statuses([await exchange(), await exchange(), await exchange()]),
    [200, 200, 429],
  );
});

test("a key's own limits go before the service's; off sends no fields", async (t) => {
  const { service, accountId } = await startSample(t, { rateLimit: "1/s", dailyQuota: "1" });
  const { key } = await service.services.keyRing.create(accountId, {
    name: "free",
    expiresAt: null,
    ratePerSecond: "off",
    dailyQuota: "off",
  });
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => service.post(exchangePath, { token: key })),
  );
  assert.ok(replies.every(({ status }) => status === 200));
  assert.equal(replies[0]?.headers["ratelimit"], undefined);
  assert.equal(replies[0]?.headers["ratelimit-policy"], undefined);
});

test("a caller over its limit learns nothing about its body", async (t) => {
  const { service, token } = await startSample(t, { rateLimit: "off", dailyQuota: "1" });
  assertProblem(await service.post(path, { token, body: "{" }), "quota_exhausted");
});

test("the quota outlives the process, and a clock that steps over midnight and back", async (t) => {
  const dataDir = temporaryFolder();
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const settings = { rateLimit: "off", dailyQuota: "2" } as const;
  const clock = new HeldClock();
  const first = await TestService.start({ dataDir, clock, settings });
  const key = await first.key(await first.apply(sampleWorkspace));
  assert.equal((await first.post(exchangePath, { token: key })).status, 200);
  await first.close();

  const second = await TestService.start({ dataDir, clock, settings });
  t.after(() => second.close());
  const exchange = async () => (await second.post(exchangePath, { token: key })).status;
  assert.deepEqual([await exchange(), await exchange()], [200, 429]);
  clock.step(86_400_000);
  assert.deepEqual([await exchange(), await exchange(), await exchange()], [200, 200, 429]);
  clock.step(-86_400_000);
  assert.equal(await exchange(), 429);
});

test("over 10 failed exchanges a minute of one address get 429; others get through", async (t) => {
  const { service, accountId } = await startSample(t, { trustedProxies: "127.0.0.1" });
  const key = await service.key(accountId);
  const exchange = (token: string, address: string) =>
    service.post(exchangePath, { token, headers: { "x-forwarded-for": address } });
  for (let guess = 0; guess < 10; guess++) {
    assert.equal((await exchange(`sl_guess${guess}`, "2001:db8:1:2::a")).status, 401);
  }
  const refused = await exchange("sl_guess", "2001:db8:1:2::b"); // the same /64
  assertProblem(refused, "rate_limited");
  assert.equal((await exchange(key, "2001:db8:1:3::a")).status, 200);
  assert.equal((await exchange(key, "192.0.2.1")).status, 200);
  service.clock.advance(Number(refused.headers["retry-after"]) * 1000);
  assert.equal((await exchange(key, "2001:db8:1:2::b")).status, 200);
});

test("without trusted proxies an address cannot be forged", async (t) => {
  const { service } = await startSample(t);
  const replies = [];
  for (let guess = 0; guess < 11; guess++) {
    const headers = { "x-forwarded-for": `192.0.2.${guess}` };
    replies.push(await service.post(exchangePath, { token: "sl_guess", headers }));
  }
  assert.deepEqual(statuses(replies), [...new Array<number>(10).fill(401), 429]);
});
