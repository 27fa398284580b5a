import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionExchangeResponse } from "@sightline/contract";
import { startSample } from "../../test/sample-account.ts";
import { openControl } from "../control/control.ts";
import { Callers } from "./callers.ts";

async function startCallers(t: { after: (hook: () => Promise<void>) => void }) {
  const { service, accountId } = await startSample(t);
  const { keyRing, folder } = service.services;
  const session = async (name: string) => {
    const { key, keyId } = await keyRing.create(accountId, { name, expiresAt: null });
    const reply = await service.post("/v1/auth/accesskey/exchange", { token: key });
    return { keyId, authorization: `Bearer ${reply.json<SessionExchangeResponse>().sessionJwt}` };
  };
  return { callers: new Callers(service.services), session, clock: service.clock, folder };
}

test("who called over a connection is known there, by the same field and no other", async (t) => {
  const { callers, session } = await startCallers(t);
  const [first, second] = [await session("a"), await session("b")];
  const connection = {};
  for (const { authorization, keyId } of [first, second, first]) {
    assert.equal(callers.known({ authorization, connection }), null);
    assert.equal((await callers.of({ authorization, connection })).id, keyId);
    assert.equal(callers.known({ authorization, connection })?.id, keyId);
    assert.equal(callers.known({ authorization, connection: {} }), null);
    const forged = `${authorization.slice(0, -6)}AAAAAA`;
    for (const other of [forged, undefined]) {
      assert.equal(callers.known({ authorization: other, connection }), null);
      await assert.rejects(callers.of({ authorization: other, connection }));
    }
    assert.equal(callers.known({ authorization, connection })?.id, keyId);
  }
});

test("nobody is known once the session is over or the key revoked elsewhere", async (t) => {
  const { callers, session, clock, folder } = await startCallers(t);
  const elsewhere = await openControl(folder.control, clock);
  t.after(() => elsewhere.close());
  const [kept, revoked] = [await session("a"), await session("b")];
  const [here, there] = [
    { authorization: kept.authorization, connection: {} },
    { authorization: revoked.authorization, connection: {} },
  ];
  for (const credentials of [here, there]) await callers.of(credentials);
  assert.deepEqual(
    [here, there].map((each) => callers.known(each)?.id),
    [kept.keyId, revoked.keyId],
  );

  await elsewhere.revokeKey(revoked.keyId);
  await new Promise(setImmediate); // control's version is read once per turn
  assert.equal(callers.known(there), null);
  await assert.rejects(callers.of(there));
  await callers.of(here);
  assert.equal(callers.known(here)?.id, kept.keyId);
  clock.advance(605_000);
  assert.equal(callers.known(here), null);
  await assert.rejects(callers.of(here));
});
