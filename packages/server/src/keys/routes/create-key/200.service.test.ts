import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type CreatedKeyResponse, type Scope, scopes } from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";

const service = await TestService.start();
after(() => service.close());
const workspace = { account: "Keys", brand: "Acme" };
const accountId = await service.apply(workspace);

async function create(token: string, body: object): Promise<CreatedKeyResponse> {
  service.clock.advance(1_000);
  const reply = await service.post("/v1/keys", { token, body });
  assert.equal(reply.status, 200, reply.body);
  assert.equal(reply.headers["cache-control"], "no-store");
  const created = reply.json<CreatedKeyResponse>();
  (await ServedSchemas.of(service)).assertValid("CreatedKeyResponseDto", created);
  return created;
}

async function claimsOf(key: string): Promise<{ sub: string; scope: string }> {
  const reply = await service.post("/v1/auth/accesskey/exchange", { token: key });
  assert.equal(reply.status, 200, reply.body);
  const [, payload = ""] = reply.json<{ sessionJwt: string }>().sessionJwt.split(".");
  return JSON.parse(Buffer.from(payload, "base64url").toString());
}

test("a key with nothing said reads, and works immediately", async () => {
  const token = await service.session(accountId, scopes);
  const { key, keyId, ...rest } = await create(token, {});
  const createdAt = new Date(service.clock.now()).toISOString();
  const never = { expiresAt: null, revokedAt: null, lastUsedAt: null };
  assert.deepEqual(rest, {
    name: "",
    scopes: ["read"],
    createdAt,
    ...never,
    rate: null,
    quota: null,
    callsToday: null,
    person: null,
  });
  assert.match(key, new RegExp(`^sl_${keyId}`));
  const { sub, scope } = await claimsOf(key);
  assert.deepEqual([sub, scope], [accountId, "read"]);
});

test("a key with everything said, its scopes in their order and once", async () => {
  const token = await service.session(accountId, scopes);
  const created = await create(token, {
    name: "Ünïcode \u0000 🦊",
    scopes: ["manage", "read", "manage"],
    expiresIn: "2w",
    rate: "50/s",
    quota: 1_000,
  });
  const { name, scopes: given, expiresAt, rate, quota } = created;
  assert.deepEqual(
    { name, given, rate, quota },
    { name: "Ünïcode \u0000 🦊", given: ["read", "manage"], rate: "50/s", quota: 1_000 },
  );
  assert.equal(Date.parse(expiresAt ?? "") - service.clock.now(), 14 * 86_400_000);
  assert.equal((await claimsOf(created.key)).scope, "read manage");
  const nulls = { expiresIn: null, rate: null, quota: null };
  assert.equal((await create(token, nulls)).expiresAt, null);
});

test("a limit that is not given is the giver's own", async (t) => {
  const counting = await TestService.start();
  t.after(() => counting.close());
  const owner = await counting.apply(workspace);
  const { key } = await counting.services.keyRing.create(owner, {
    name: "limited",
    expiresAt: null,
    scopes: ["read", "manage"],
    ratePerSecond: 7,
    dailyQuota: 90,
  });
  const exchanged = await counting.post("/v1/auth/accesskey/exchange", { token: key });
  const token = exchanged.json<{ sessionJwt: string }>().sessionJwt;
  for (const [body, rate, quota] of [
    [{}, "7/s", 90],
    [{ rate: null, quota: null }, "7/s", 90],
    [{ rate: "6/s", quota: 89 }, "6/s", 89],
    [{ rate: "7/s", quota: 90 }, "7/s", 90],
  ] as const) {
    const created = (await counting.post("/v1/keys", { token, body })).json<CreatedKeyResponse>();
    assert.deepEqual([created.rate, created.quota], [rate, quota]);
  }
});

test("each set of scopes gives each of its sets, and nothing else", async () => {
  for (const held of setsOf(scopes)) {
    if (!held.includes("manage")) continue;
    const token = await service.session(accountId, held);
    for (const wanted of setsOf(scopes)) {
      service.clock.advance(1_000);
      const reply = await service.post("/v1/keys", { token, body: { scopes: wanted } });
      const isWithin = wanted.every((scope) => held.includes(scope));
      assert.equal(reply.status, isWithin ? 200 : 403, `${held} gives ${wanted}`);
      if (isWithin) assert.deepEqual(reply.json<CreatedKeyResponse>().scopes, wanted);
      else assert.equal(reply.json<{ code: string }>().code, "scope_missing");
    }
  }
});

/** Every non-empty set of scopes, in their order. */
function setsOf(all: readonly Scope[]): readonly (readonly Scope[])[] {
  const sets = Array.from({ length: 2 ** all.length }, (_, bits) =>
    all.filter((_, place) => (bits >> place) % 2 === 1),
  );
  return sets.filter((set) => set.length > 0);
}
