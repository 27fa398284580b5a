import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionExchangeResponse } from "@sightline/contract";
import { controlElsewhere } from "@sightline/test-kit/engines/control-elsewhere.ts";
import { startSample } from "@sightline/test-kit/sample-account.ts";
import { authenticate } from "./authenticate.ts";
import { revokeKey } from "./key-store.ts";

async function startCallers(t: { after: (hook: () => Promise<void>) => void }) {
  const { service, accountId } = await startSample(t);
  const { keyRing } = service.services;
  const session = async (name: string) => {
    const { key, keyId } = await keyRing.create(accountId, { name, expiresAt: null });
    const reply = await service.post("/v1/auth/accesskey/exchange", { token: key });
    return { keyId, authorization: `Bearer ${reply.json<SessionExchangeResponse>().sessionJwt}` };
  };
  const caller = async (authorization: string | undefined) =>
    (await authenticate(service.services, authorization)).id;
  return { caller, session, clock: service.clock, services: service.services };
}

test("a caller is known by its own session and no other text, each time", async (t) => {
  const { caller, session } = await startCallers(t);
  const [first, second] = [await session("a"), await session("b")];
  for (const { authorization, keyId } of [first, second, first]) {
    assert.equal(await caller(authorization), keyId);
    const forged = `${authorization.slice(0, -6)}AAAAAA`;
    await assert.rejects(caller(forged), { code: "session_invalid" });
    await assert.rejects(caller(undefined), { code: "session_required" });
    assert.equal(await caller(authorization), keyId);
  }
});

test("a caller is unknown once the session is over or the key revoked elsewhere", async (t) => {
  const { caller, session, clock, services } = await startCallers(t);
  const { change } = await controlElsewhere(t, services);
  const [kept, revoked] = [await session("a"), await session("b")];
  assert.deepEqual(
    [await caller(kept.authorization), await caller(revoked.authorization)],
    [kept.keyId, revoked.keyId],
  );

  await change((elsewhere) => revokeKey(elsewhere, revoked.keyId, clock.now()));
  await new Promise(setImmediate); // control's version is read once a turn
  await assert.rejects(caller(revoked.authorization), { code: "session_invalid" });
  assert.equal(await caller(kept.authorization), kept.keyId);
  clock.advance(605_000);
  await assert.rejects(caller(kept.authorization), { code: "session_invalid" });
});
