import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { test } from "node:test";
import type { SessionExchangeResponse } from "@sightline/contract";
import { controlElsewhere } from "@sightline/test-kit/engines/control-elsewhere.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sampleRange, sampleWorkspace, startSample } from "@sightline/test-kit/sample-account.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { decodeJwt } from "jose";
import { revokeKey } from "./key-store.ts";

const path = "/v1/analytics/brands/mentions";
const body = { interval: "daily", filters: { timeRange: sampleRange } };

async function exchanged(service: TestService, key: string): Promise<string> {
  const reply = await service.post("/v1/auth/accesskey/exchange", { token: key });
  return reply.json<SessionExchangeResponse>().sessionJwt;
}

test("a session is good to its end and five seconds of another clock's error", async (t) => {
  const { service, token } = await startSample(t);
  const { exp = 0 } = decodeJwt(token);
  const status = async () => (await service.post(path, { token, body })).status;
  assert.equal(exp * 1000 - service.clock.now(), 600_000);
  service.clock.advance(600_000);
  assert.equal(await status(), 200);
  service.clock.advance(4_999);
  assert.equal(await status(), 200);
  service.clock.advance(1);
  assert.equal(await status(), 401);
  service.clock.step(-605_000);
  assert.equal(await status(), 200);
});

test("a session that was issued while the clock was ahead ends when it is put right", async (t) => {
  const { service, accountId } = await startSample(t);
  const url = await service.listen();
  const ahead = 100 * 86_400_000;
  service.clock.step(ahead);
  const token = await service.session(accountId);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const overSocket = async () => {
    const sent = { method: "POST", headers, body: JSON.stringify(body) };
    const reply = await fetch(`${url}${path}`, sent);
    await reply.text();
    return reply.status;
  };
  assert.deepEqual([await overSocket(), await overSocket()], [200, 200]);
  service.clock.step(-ahead);
  assert.equal(await overSocket(), 401);
  assertProblem(await service.post(path, { token, body }), "session_invalid");
  service.clock.step(ahead - 5_000);
  assert.equal(await overSocket(), 200);
});

test("a session lives as long as the setting says", async (t) => {
  for (const seconds of [60, 3_600]) {
    const service = await TestService.start({ settings: { sessionTtlSeconds: String(seconds) } });
    t.after(() => service.close());
    const token = await service.session(await service.apply(sampleWorkspace));
    const { exp = 0, iat = 0 } = decodeJwt(token);
    assert.equal(exp - iat, seconds);
  }
});

test("a session does not outlive its key, not by the tolerance either", async (t) => {
  const { service, accountId } = await startSample(t);
  const expiresAt = service.clock.now() + 90_500;
  const { key } = await service.services.keyRing.create(accountId, { name: "a", expiresAt });
  const token = await exchanged(service, key);
  assert.equal(decodeJwt(token).exp, Math.floor(expiresAt / 1000));
  service.clock.advance(90_499);
  assert.equal((await service.post(path, { token, body })).status, 200);
  service.clock.advance(1);
  assertProblem(await service.post(path, { token, body }), "session_invalid");
});

test("revoking a key in another process ends its sessions with the next call", async (t) => {
  const { service, accountId, token: untouched } = await startSample(t);
  const { keyRing } = service.services;
  const { key, keyId } = await keyRing.create(accountId, { name: "a", expiresAt: null });
  const [token, second] = [await exchanged(service, key), await exchanged(service, key)];
  assert.equal((await service.post(path, { token, body })).status, 200);
  const { change } = await controlElsewhere(t, service.services);
  await change((elsewhere) => revokeKey(elsewhere, keyId, service.clock.now()));
  assertProblem(await service.post(path, { token, body }), "session_invalid");
  assertProblem(await service.post(path, { token: second, body }), "session_invalid");
  assert.equal((await service.post(path, { token: untouched, body })).status, 200);
});

test("keys and sessions outlive a restart", async (t) => {
  const dataDir = temporaryFolder();
  t.after(() => rm(dataDir, { recursive: true }));
  const before = await TestService.start({ dataDir });
  const accountId = await before.apply(sampleWorkspace);
  await before.settle(accountId);
  const key = await before.key(accountId);
  const token = await exchanged(before, key);
  await before.close();

  const after = await TestService.start({ dataDir });
  t.after(() => after.close());
  await after.settle(accountId);
  assert.equal((await after.post(path, { token, body })).status, 200);
  assert.equal((await after.post(path, { token: await exchanged(after, key), body })).status, 200);
});

test("another installation's session is not taken, though everything else is equal", async (t) => {
  const one = await sharedSample();
  const other = await TestService.start(); // a sample would be a copy of the same installation
  t.after(() => other.close());
  assert.equal(await other.apply(sampleWorkspace), one.accountId);
  const token = await other.session(one.accountId);
  const reply = await one.service.post(path, { token, body });
  assertProblem(reply, "session_invalid");
});

test("a session under another issuer is not taken by the same installation", async (t) => {
  const dataDir = temporaryFolder();
  t.after(() => rm(dataDir, { recursive: true }));
  const before = await TestService.start({ dataDir, settings: { issuer: "https://before.test" } });
  const accountId = await before.apply(sampleWorkspace);
  await before.settle(accountId);
  const token = await before.session(accountId);
  assert.equal(decodeJwt(token).iss, "https://before.test");
  await before.close();

  const after = await TestService.start({ dataDir, settings: { issuer: "https://after.test" } });
  t.after(() => after.close());
  await after.settle(accountId);
  assertProblem(await after.post(path, { token, body }), "session_invalid");
  const anew = await after.session(accountId);
  assert.equal((await after.post(path, { token: anew, body })).status, 200);
});
