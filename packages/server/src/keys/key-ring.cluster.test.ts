import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { crc32 } from "node:zlib";
import {
  type ControlEngineName,
  controlAddress,
  openNodes,
  testOnEachEngine,
} from "@sightline/test-kit/engines/control-engines.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { sampleWorkspace } from "@sightline/test-kit/sample-account.ts";
import { applyWorkspace } from "../accounts/apply-workspace.ts";
import { readWorkspaceFile } from "../accounts/workspace-file/read-workspace-file.ts";
import { openControl } from "../control/control.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import { retryWhileLocked } from "../platform/retry-while-locked.ts";
import { KeyRing } from "./key-ring.ts";
import { keyById, keysOf, revokeKey } from "./key-store.ts";
import { base62Of, hashOfKey, keyIdOf, newStaticKey } from "./static-key.ts";

const pepper = Buffer.alloc(32, 7);
const never = { name: "a", expiresAt: null };

async function opened(t: TestContext, engine: ControlEngineName) {
  const clock = new HeldClock();
  const control = await openControl(await controlAddress(t, engine), clock);
  t.after(() => control.close());
  const workspace = readWorkspaceFile(JSON.stringify(sampleWorkspace));
  const { accountId } = workspace;
  await applyWorkspace(control, accountId, workspace, { now: clock.now() });
  return { accountId, clock, control, keyRing: new KeyRing(control, pepper, clock) };
}

testOnEachEngine("a key is found by itself and kept as a hash alone", async (t, engine) => {
  const { accountId, control, keyRing } = await opened(t, engine);
  const { key, keyId, ...created } = await keyRing.create(accountId, never);
  const record = await keyRing.verify(key);
  assert.deepEqual(created, { accountId, expiresAt: null, record });
  assert.deepEqual([record?.id, record?.accountId], [keyId, accountId]);
  assert.deepEqual((await keyById(control, keyId))?.hash, hashOfKey(key, pepper));
  assert.equal(JSON.stringify(await keysOf(control, null)).includes(key.slice(19)), false);
});

testOnEachEngine("a mistyped key is refused without a look-up", async (t, engine) => {
  const { accountId, control, keyRing } = await opened(t, engine);
  const { key } = await keyRing.create(accountId, never);
  await control.close();
  // Proof that a lookup would be noticed: it fails now.
  await assert.rejects(keyRing.verify(key));
  for (let place = 0; place < key.length; place++) {
    for (const character of "0Zz_") {
      if (character === key[place]) continue;
      assert.equal(
        await keyRing.verify(key.slice(0, place) + character + key.slice(place + 1)),
        null,
      );
    }
  }
  assert.equal(await keyRing.verify(""), null);
  assert.equal(await keyRing.verify("a".repeat(100_000)), null);
});

testOnEachEngine(
  "an unknown key is refused, and one with a known id and another secret",
  async (t, engine) => {
    const { accountId, keyRing } = await opened(t, engine);
    const { key } = await keyRing.create(accountId, never);
    assert.equal(await keyRing.verify(newStaticKey().key), null);
    const body = key.slice(0, 19) + "0".repeat(32);
    const forged = body + base62Of(crc32(body));
    assert.equal(keyIdOf(forged), keyIdOf(key));
    assert.equal(await keyRing.verify(forged), null);
  },
);

testOnEachEngine(
  "nodes that create keys at the same time stay within the most",
  async (t, engine) => {
    const clock = new HeldClock();
    const nodes = await openNodes(t, engine, clock, { writeWaitMs: 1 });
    const [one] = nodes;
    const workspace = readWorkspaceFile(JSON.stringify(sampleWorkspace));
    const { accountId } = workspace;
    await applyWorkspace(one, accountId, workspace, { now: clock.now() });
    const create = (node: ControlEngine) => {
      const keyRing = new KeyRing(node, pepper, clock);
      return retryWhileLocked(() => keyRing.create(accountId, { ...never, validMax: 3 }));
    };
    for (const node of nodes) await create(node);
    const last = await Promise.allSettled([...nodes, ...nodes].map(create));
    const refused = last.filter((each) => each.status === "rejected");
    assert.deepEqual(
      refused.map(({ reason }) => [reason.code, reason.detail]),
      new Array(3).fill([
        "invalid_request",
        "/: The account has 3 valid keys, as many as it may have. Revoke one first.",
      ]),
    );
    assert.equal((await keysOf(one, accountId)).length, 3);
    const log = one.database.selectFrom("audit").select("sequence");
    const entries = await log.where("action", "=", "key.created").execute();
    assert.equal(entries.length, 3, "who is refused leaves no entry");
  },
);

testOnEachEngine("a key is not good under another pepper", async (t, engine) => {
  const { accountId, clock, control, keyRing } = await opened(t, engine);
  const { key } = await keyRing.create(accountId, never);
  assert.equal(await new KeyRing(control, Buffer.alloc(32, 8), clock).verify(key), null);
});

testOnEachEngine(
  "a revoked key and an expired one are refused, and their sessions end",
  async (t, engine) => {
    const { accountId, clock, control, keyRing } = await opened(t, engine);
    const revoked = await keyRing.create(accountId, never);
    await revokeKey(control, revoked.keyId, clock.now());
    assert.equal(await keyRing.verify(revoked.key), null);
    assert.equal(await keyRing.goodKey(revoked.keyId), null);

    const expiresAt = clock.now() + 1_000;
    const expiring = await keyRing.create(accountId, { name: "b", expiresAt });
    clock.advance(999);
    assert.equal((await keyRing.verify(expiring.key))?.expiresAt, expiresAt);
    assert.equal((await keyRing.goodKey(expiring.keyId))?.id, expiring.keyId);
    clock.advance(1);
    assert.equal(await keyRing.verify(expiring.key), null);
    assert.equal(await keyRing.goodKey(expiring.keyId), null);
    assert.equal(await keyRing.goodKey("none"), null);
  },
);
