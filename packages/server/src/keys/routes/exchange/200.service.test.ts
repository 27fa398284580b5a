import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionExchangeResponse } from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { startSample } from "@sightline/test-kit/sample-account.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { keyById } from "../../key-store.ts";

const path = "/v1/auth/accesskey/exchange";
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

test("a static key gives its id and a session token that says whose it is", async (t) => {
  const { service, accountId } = await startSample(t);
  const { keyRing, signingKeys, config } = service.services;
  const { key, keyId } = await keyRing.create(accountId, { name: "a", expiresAt: null });
  const reply = await service.post(path, { token: key });
  assert.equal(reply.status, 200);
  assert.equal(reply.headers["content-type"], "application/json; charset=utf-8");
  assert.equal(reply.headers["cache-control"], "no-store");
  (await ServedSchemas.of(service)).assertValid("SessionExchangeResponseDto", reply.json());

  const { sessionJwt, ...rest } = reply.json<SessionExchangeResponse>();
  assert.deepEqual(rest, { keyId });
  assert.deepEqual(decodeProtectedHeader(sessionJwt), {
    alg: "RS256",
    kid: signingKeys.current.kid,
    typ: "JWT",
  });
  const { jti, ...claims } = decodeJwt(sessionJwt);
  assert.match(jti ?? "", uuid);
  const now = service.clock.now() / 1000;
  assert.deepEqual(claims, {
    iss: "sightline",
    sub: accountId,
    keyId,
    scope: "read",
    iat: now,
    exp: now + config.sessionTtlSeconds,
  });
});

test("each exchange gives another token", async () => {
  const { service, accountId } = await sharedSample();
  const key = await service.key(accountId);
  const tokens = new Set<string>();
  for (let i = 0; i < 3; i++) {
    const reply = await service.post(path, { token: key });
    tokens.add(reply.json<SessionExchangeResponse>().sessionJwt);
  }
  assert.equal(tokens.size, 3);
});

test("neither the body nor its type is read", async () => {
  const { service, accountId } = await sharedSample();
  const token = await service.key(accountId);
  for (const body of ["", "{}", '{"loginOptions":{"customClaims":{}}}', "[", "\0"]) {
    for (const type of ["application/json", "text/plain", "application/x-www-form-urlencoded"]) {
      const reply = await service.post(path, { token, body, headers: { "content-type": type } });
      assert.equal(reply.status, 200, `${type}: ${body}`);
    }
  }
});

test("the scheme is taken in any case, and the issuer before the key", async () => {
  const { service, accountId } = await sharedSample();
  const key = await service.key(accountId);
  for (const authorization of [`bearer ${key}`, `BEARER   ${key} `, `Bearer sightline:${key}`]) {
    const reply = await service.post(path, { headers: { authorization } });
    assert.equal(reply.status, 200, authorization.slice(0, 20));
  }
});

test("when a key was used last is kept to the minute", async (t) => {
  const { service, accountId } = await startSample(t);
  const { keyRing, control } = service.services;
  const { key, keyId } = await keyRing.create(accountId, { name: "a", expiresAt: null });
  const lastUsedAt = async () => (await keyById(control, keyId))?.lastUsedAt;
  assert.equal(await lastUsedAt(), null);
  const first = service.clock.now();
  for (const [ms, kept] of [
    [0, first],
    [60_000, first],
    [1, first + 60_001],
  ] as const) {
    service.clock.advance(ms);
    assert.equal((await service.post(path, { token: key })).status, 200);
    assert.equal(await lastUsedAt(), kept);
  }
});
