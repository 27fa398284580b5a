import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleRange, startSample } from "@sightline/test-kit/sample-account.ts";
import { publishedBeforeUseMs, rotateSigningKey, signingKeyRecords } from "./signing-keys.ts";

const body = { interval: "daily", filters: { timeRange: sampleRange } };
const hourMs = 3_600_000;

test("a rotated key is published immediately, signs a minute later; the old fades", async (t) => {
  const { service, accountId, token } = await startSample(t);
  const { control, signingKeys } = service.services;
  const published = async () => {
    const reply = await service.request("GET", "/.well-known/jwks.json");
    return reply.json<{ keys: { kid: string }[] }>().keys.map(({ kid }) => kid);
  };
  const ask = async (session: string) =>
    (await service.post("/v1/analytics/brands/rank", { token: session, body })).status;
  const [first] = await published();

  service.clock.advance(1); // keys of one instant have no order that means anything
  const second = await rotateSigningKey(control, service.clock);
  service.clock.advance(1);
  await signingKeys.refresh();
  assert.deepEqual(await published(), [second, first]);
  assert.equal(signingKeys.current.kid, first);
  const lastOfFirst = await service.session(accountId);

  service.clock.advance(publishedBeforeUseMs);
  assert.equal(signingKeys.current.kid, second);
  const firstOfSecond = await service.session(accountId);
  const statuses = await Promise.all([token, lastOfFirst, firstOfSecond].map(ask));
  assert.deepEqual(statuses, [200, 200, 200]);

  service.clock.advance(hourMs + publishedBeforeUseMs);
  await signingKeys.refresh();
  assert.deepEqual(await published(), [second]);
  assert.equal((await signingKeyRecords(control)).length, 1);
});

test("a key is rotated when it is older than it may be", async (t) => {
  const { service } = await startSample(t);
  const { signingKeys } = service.services;
  await signingKeys.rotateOlderThan(hourMs);
  assert.equal(signingKeys.jwks.keys.length, 1);
  service.clock.advance(hourMs + 1);
  await signingKeys.rotateOlderThan(hourMs);
  assert.equal(signingKeys.jwks.keys.length, 2);
});

test("rotation under load gives no wrong 401", async (t) => {
  const { service, accountId, token } = await startSample(t);
  const { control, signingKeys } = service.services;
  const statuses: number[] = [];
  let session = token;
  for (let round = 0; round < 8; round++) {
    const asked = Array.from({ length: 10 }, () =>
      service.post("/v1/analytics/brands/rank", { token: session, body }),
    );
    await rotateSigningKey(control, service.clock);
    await signingKeys.refresh();
    service.clock.advance(publishedBeforeUseMs);
    for (const reply of await Promise.all(asked)) statuses.push(reply.status);
    session = await service.session(accountId);
  }
  assert.deepEqual(new Set(statuses), new Set([200]));
});
