import assert from "node:assert/strict";
import { test } from "node:test";
import { assertProblem, sameForAll } from "@sightline/test-kit/requests/problem-shape.ts";
import { startSample } from "@sightline/test-kit/sample-account.ts";
import { revokeKey } from "../../key-store.ts";
import { newStaticKey } from "../../static-key.ts";

const path = "/v1/auth/accesskey/exchange";

test("whatever is wrong with a key, the reply is the same", async (t) => {
  const { service, accountId, token } = await startSample(t);
  const { keyRing, control } = service.services;
  const good = await service.key(accountId);
  const revoked = await keyRing.create(accountId, { name: "revoked", expiresAt: null });
  await revokeKey(control, revoked.keyId, service.clock.now());
  const expired = await keyRing.create(accountId, {
    name: "expired",
    expiresAt: service.clock.now(),
  });
  const unknown = newStaticKey();
  const refused = {
    "a revoked key": `Bearer ${revoked.key}`,
    "a key that expired this instant": `Bearer ${expired.key}`,
    "a key that was never made": `Bearer ${unknown.key}`,
    "a key with another's secret": `Bearer ${good.slice(0, 19)}${unknown.key.slice(19)}`,
    "a mistyped key": `Bearer ${good.slice(0, -1)}${good.endsWith("0") ? "1" : "0"}`,
    "a key in lower case": `Bearer ${good.toLowerCase()}`,
    "half a key": `Bearer ${good.slice(0, 30)}`,
    "a key and more": `Bearer ${good}0`,
    "a key twice": `Bearer ${good} ${good}`,
    "the key without its scheme": good,
    "another scheme": `Basic ${Buffer.from(`${good}:`).toString("base64")}`,
    "another issuer before the key": `Bearer other:${good}`,
    "the issuer twice": `Bearer sightline:sightline:${good}`,
    "a session token": `Bearer ${token}`,
    "the scheme alone": "Bearer",
    "an empty field": "",
  };
  const problems = [];
  for (const [what, authorization] of Object.entries(refused)) {
    service.clock.advance(6_000); // guessing is throttled to ten a minute
    service.clock.advance(60_000); // so that guessing is not throttled
    const reply = await service.post(path, { headers: { authorization } });
    problems.push(sameForAll(assertProblem(reply, "key_invalid")));
    assert.equal(reply.headers["www-authenticate"], 'Bearer error="invalid_token"', what);
  }
  service.clock.advance(60_000);
  const nothing = await service.post(path);
  problems.push(sameForAll(assertProblem(nothing, "key_invalid")));
  assert.equal(nothing.headers["www-authenticate"], "Bearer");
  for (const problem of problems) assert.deepEqual(problem, problems[0]);
});

test("a key is good until the instant at which it expires", async (t) => {
  const { service, accountId } = await startSample(t);
  const expiresAt = service.clock.now() + 60_000;
  const { key } = await service.services.keyRing.create(accountId, { name: "a", expiresAt });
  service.clock.advance(59_999);
  assert.equal((await service.post(path, { token: key })).status, 200);
  service.clock.advance(1);
  assertProblem(await service.post(path, { token: key }), "key_invalid");
});

test("a revoked key stays revoked, and others are not touched", async (t) => {
  const { service, accountId } = await startSample(t);
  const { keyRing, control } = service.services;
  const { key, keyId } = await keyRing.create(accountId, { name: "a", expiresAt: null });
  const other = await service.key(accountId);
  assert.equal((await service.post(path, { token: key })).status, 200);
  await revokeKey(control, keyId, service.clock.now());
  assertProblem(await service.post(path, { token: key }), "key_invalid");
  assert.equal((await service.post(path, { token: other })).status, 200);
});
