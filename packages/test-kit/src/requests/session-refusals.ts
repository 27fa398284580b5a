import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { revokeKey } from "../../../server/src/keys/key-store.ts";
import { newStaticKey } from "../../../server/src/keys/static-key.ts";
import { sampleRange, startSample } from "../sample-account.ts";
import { sharedSample } from "../shared-sample.ts";
import type { TestReply, TestService } from "../test-service.ts";
import { assertProblem, sameForAll } from "./problem-shape.ts";

/** An operation's address and the fields of a good request without its filters. */
export interface GoodRequest {
  readonly path: string;
  /** Null: the operation is a GET. */
  readonly good: object | null;
}

function send(
  service: TestService,
  { path, good }: GoodRequest,
  headers: Readonly<Record<string, string>>,
): Promise<TestReply> {
  if (good === null) return service.request("GET", path, { headers });
  const body = { ...good, filters: { timeRange: sampleRange } };
  return service.post(path, { body, headers });
}

/**
 * Asserts that an operation answers nobody without a good session: 401, the challenge of RFC 6750,
 * and one body for whatever is wrong with a token. The forged tokens are in auth/forged-tokens.
 */
export async function assertSessionWanted(request: GoodRequest): Promise<void> {
  const { service, accountId, token } = await sharedSample();
  const ask = (headers: Readonly<Record<string, string>>) => send(service, request, headers);
  assert.equal((await ask({ authorization: `Bearer ${token}` })).status, 200);
  assert.equal((await ask({ authorization: `bearer   ${token} ` })).status, 200);

  const nothing = await ask({});
  assertProblem(nothing, "session_required");
  assert.equal(nothing.headers["www-authenticate"], "Bearer");

  const refused = {
    "the token without its scheme": token,
    "another scheme": `Basic ${Buffer.from(`a:${token}`).toString("base64")}`,
    "the scheme alone": "Bearer",
    "an empty field": "",
    "a text that is not a token": "Bearer token",
    "two tokens": `Bearer ${token} ${token}`,
    "a quoted token": `Bearer "${token}"`,
    "half a token": `Bearer ${token.slice(0, token.length / 2)}`,
  };
  const bodies = [];
  for (const [what, authorization] of Object.entries(refused)) {
    const reply = await ask({ authorization });
    bodies.push(sameForAll(assertProblem(reply, "session_invalid")));
    assert.equal(reply.headers["www-authenticate"], 'Bearer error="invalid_token"', what);
  }
  for (const each of bodies) assert.deepEqual(each, bodies[0]);
  await assertKeysTold(service, await service.key(accountId), ask);
}

/** A key in a session's place is told what to do, and nothing of whether it is good. */
async function assertKeysTold(
  service: TestService,
  key: string,
  ask: (headers: Readonly<Record<string, string>>) => Promise<TestReply>,
): Promise<void> {
  const { issuer } = service.services.config;
  for (const each of [key, newStaticKey().key, `${key}x`, "sl_", `${issuer}:${key}`]) {
    const reply = await ask({ authorization: `Bearer ${each}` });
    assert.equal(
      assertProblem(reply, "session_invalid").detail,
      "You sent an API key. Exchange it at POST /v1/auth/accesskey/exchange, and send the " +
        "`sessionJwt` from the reply.",
    );
    assert.equal(reply.headers["www-authenticate"], 'Bearer error="invalid_token"');
  }
}

/** Asserts that an operation takes a session until it ends or its key is revoked. */
export async function assertSessionEnds(t: TestContext, request: GoodRequest): Promise<void> {
  const { service, token: other, accountId } = await startSample(t);
  const ask = (token: string) => send(service, request, { authorization: `Bearer ${token}` });
  const { control, keyRing } = service.services;
  const { key, keyId } = await keyRing.create(accountId, { name: "a", expiresAt: null });
  const exchanged = await service.post("/v1/auth/accesskey/exchange", { token: key });
  const token = exchanged.json<{ sessionJwt: string }>().sessionJwt;
  assert.equal((await ask(token)).status, 200);
  await revokeKey(control, keyId, service.clock.now());
  assertProblem(await ask(token), "session_invalid");
  assert.equal((await ask(other)).status, 200);

  service.clock.advance(service.services.config.sessionTtlSeconds * 1000 + 4_999);
  assert.equal((await ask(other)).status, 200);
  service.clock.advance(1);
  assertProblem(await ask(other), "session_invalid");
}
