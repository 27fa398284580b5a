import assert from "node:assert/strict";
import { test } from "node:test";
import { startSample } from "@sightline/test-kit/sample-account.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";

test("the public keys, with which anybody can check a session token", async () => {
  const { service, token, accountId } = await sharedSample();
  const reply = await service.request("GET", "/.well-known/jwks.json");
  assert.equal(reply.status, 200);
  const jwks = reply.json<JSONWebKeySet>();
  const { payload } = await jwtVerify(token, createLocalJWKSet(jwks), {
    issuer: "sightline",
    algorithms: ["RS256"],
    currentDate: new Date(service.clock.now()),
  });
  assert.equal(payload.sub, accountId);
});

test("nothing private is published", async (t) => {
  const { service } = await startSample(t);
  const reply = await service.request("GET", "/.well-known/jwks.json");
  const { keys } = reply.json<JSONWebKeySet>();
  const { kid } = service.services.signingKeys.current;
  assert.deepEqual(
    keys.map(({ n, ...key }) => [key, Buffer.from(n ?? "", "base64url").length * 8]),
    [[{ kty: "RSA", e: "AQAB", kid, alg: "RS256", use: "sig" }, 2048]],
  );
});
