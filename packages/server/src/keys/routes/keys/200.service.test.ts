import assert from "node:assert/strict";
import { test } from "node:test";
import type { CreatedKeyResponse, KeysResponse, ListedKey } from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import type { AfterHook } from "@sightline/test-kit/sample-account.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { keysOf, latestKeysOf, revokeKey } from "../../key-store.ts";

/** A service that ends with the test: it saves the calls of a key with a quota. */
async function started(t: AfterHook): Promise<TestService> {
  const service = await TestService.start();
  t.after(() => service.close());
  return service;
}

/** An account, and a session that may manage it. */
async function account(service: TestService, name: string) {
  const accountId = await service.apply({ account: { name }, brand: { name } });
  const token = await service.session(accountId, ["read", "manage"]);
  const list = async () => {
    const headers = { authorization: `Bearer ${token}` };
    const reply = await service.request("GET", "/v1/keys", { headers });
    assert.equal(reply.status, 200, reply.body);
    assert.equal(reply.headers["cache-control"], "no-store");
    return reply;
  };
  return { accountId, token, list };
}

test("the account's own keys, oldest first, without anything of the key itself", async (t) => {
  const service = await started(t);
  const { accountId, token, list } = await account(service, "Lists");
  const other = await account(service, "Others");
  const created = [];
  for (const name of ["one", "two"]) {
    service.clock.advance(1_000);
    const reply = await service.post("/v1/keys", { token, body: { name } });
    created.push(reply.json<CreatedKeyResponse>());
  }
  await service.post("/v1/keys", { token: other.token, body: { name: "foreign" } });
  const reply = await list();
  (await ServedSchemas.of(service)).assertValid("KeysResponseDto", reply.json());
  const [first, ...made] = reply.json<KeysResponse>().keys;
  const { key, ...withoutKey } = created[0] ?? { key: "" };
  assert.deepEqual(made, [withoutKey, { ...created[1], key: undefined }].map(withoutUndefined));
  assert.equal(first?.name, "test");
  assert.ok(!reply.body.includes(key) && !reply.body.includes("hash"));
  assert.ok(!reply.body.includes(accountId));
});

test("the last use, the end and the revocation show", async (t) => {
  const service = await started(t);
  const { accountId, token, list } = await account(service, "Times");
  const body = { name: "used", expiresIn: "1h", rate: "5/s", quota: 7 };
  const created = (await service.post("/v1/keys", { token, body })).json<CreatedKeyResponse>();
  const now = service.clock.now();
  const shown = async () => {
    const { keys } = (await list()).json<KeysResponse>();
    return keys.find(({ keyId }) => keyId === created.keyId);
  };
  const expected: ListedKey = {
    keyId: created.keyId,
    name: "used",
    scopes: ["read"],
    createdAt: new Date(now).toISOString(),
    expiresAt: new Date(now + 3_600_000).toISOString(),
    revokedAt: null,
    lastUsedAt: null,
    rate: "5/s",
    quota: 7,
    callsToday: 0,
    person: null,
  };
  assert.deepEqual(await shown(), expected);
  service.clock.advance(60_000);
  const usedAt = new Date(service.clock.now()).toISOString();
  await service.post("/v1/auth/accesskey/exchange", { token: created.key });
  await service.services.limits.save();
  const used = { ...expected, lastUsedAt: usedAt, callsToday: 1 };
  assert.deepEqual(await shown(), used);
  await revokeKey(service.services.control, created.keyId, service.clock.now());
  assert.deepEqual(await shown(), { ...used, revokedAt: usedAt });
  const limits = { ratePerSecond: "off", dailyQuota: "off" } as const;
  await service.services.keyRing.create(accountId, { name: "off", expiresAt: null, ...limits });
  const last = (await list()).json<KeysResponse>().keys.at(-1);
  assert.deepEqual([last?.rate, last?.quota], ["off", "off"]);
});

test("the calls of today show with a key that has a quota", async (t) => {
  const service = await started(t);
  const { token, list } = await account(service, "Usage");
  const body = { name: "counted", quota: 7, scopes: ["read"] };
  const { key } = (await service.post("/v1/keys", { token, body })).json<CreatedKeyResponse>();
  const exchanged = await service.post("/v1/auth/accesskey/exchange", { token: key });
  const { sessionJwt } = exchanged.json<{ sessionJwt: string }>();
  const headers = { authorization: `Bearer ${sessionJwt}` };
  for (let call = 0; call < 3; call++) await service.request("GET", "/v1/workspace", { headers });
  const shown = async () => {
    await service.services.limits.save();
    const { keys } = (await list()).json<KeysResponse>();
    return Object.fromEntries(keys.map(({ name, callsToday }) => [name, callsToday]));
  };
  assert.deepEqual(await shown(), { test: null, counted: 4 }, "the exchange counts too");
  service.clock.advance(600_000);
  assert.deepEqual(await shown(), { test: null, counted: 4 });
});

test("of very many keys the latest are listed", async (t) => {
  const service = await started(t);
  const { accountId } = await account(service, "Many");
  const { control } = service.services;
  const all = await latestKeysOf(control, accountId, 10);
  for (let made = 0; made < 3; made++) {
    service.clock.advance(1);
    await service.key(accountId);
  }
  const latest = await latestKeysOf(control, accountId, 2);
  assert.deepEqual(latest, (await keysOf(control, accountId)).slice(-2));
  assert.equal((await keysOf(control, accountId)).length, all.length + 3);
});

function withoutUndefined(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}
