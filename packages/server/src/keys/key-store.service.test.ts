import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { applyWorkspace } from "../accounts/apply-workspace.ts";
import { readWorkspaceFile } from "../accounts/workspace-file/read-workspace-file.ts";
import { openStorage } from "../storage.ts";
import { keyById, keysOf, revokeKey, touchKey } from "./key-store.ts";

const accounts = ["a", "b"].map((letter) => `0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a00${letter}`);
const [accountId = "", otherAccount = ""] = accounts;
const startMs = Date.parse("2026-06-01T12:00:00.000Z");

async function storageOf(t: TestContext) {
  const folder = temporaryFolder();
  const clock = new HeldClock(startMs);
  const storage = await openStorage(join(folder, "data"), clock);
  t.after(async () => {
    await storage.close();
    rmSync(folder, { recursive: true });
  });
  for (const id of accounts) {
    const file = { account: { id, name: id }, brand: { name: "Acme" } };
    await applyWorkspace(storage.control, id, readWorkspaceFile(JSON.stringify(file)), {
      now: clock.now(),
    });
  }
  return { ...storage, clock };
}

test("a key is stored as its hash, with its name and instants", async (t) => {
  const { control, keyRing } = await storageOf(t);
  const expiresAt = startMs + 1;
  const created = await keyRing.create(accountId, { name: "robot", expiresAt });
  const record = await keyById(control, created.keyId);
  assert.ok(record !== null);
  const { id, accountId: owner, name, createdAt, revokedAt, lastUsedAt, hash } = record;
  assert.deepEqual(
    { id, owner, name, createdAt, expiresAt: record.expiresAt, revokedAt, lastUsedAt },
    {
      id: created.keyId,
      owner: accountId,
      name: "robot",
      createdAt: startMs,
      expiresAt,
      revokedAt: null,
      lastUsedAt: null,
    },
  );
  assert.equal(hash.length, 32);
  assert.ok(!JSON.stringify(record).includes(created.key));
});

test("keys are listed oldest first, of one account or of all", async (t) => {
  const { control, keyRing, clock } = await storageOf(t);
  const ids: string[] = [];
  for (const owner of [accountId, otherAccount, accountId]) {
    ids.push((await keyRing.create(owner, { name: "", expiresAt: null })).keyId);
    clock.advance(1);
  }
  const listed = async (owner: string | null) => (await keysOf(control, owner)).map(({ id }) => id);
  assert.deepEqual(await listed(null), ids);
  assert.deepEqual(await listed(accountId), [ids[0], ids[2]]);
  assert.deepEqual(await listed(otherAccount), [ids[1]]);
  assert.deepEqual(await listed("0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a00c"), []);
});

test("a key of an account that does not exist cannot be made", async (t) => {
  const { keyRing } = await storageOf(t);
  const made = keyRing.create("0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a00c", {
    name: "",
    expiresAt: null,
  });
  await assert.rejects(made, /FOREIGN KEY/);
});

test("revoked: immediately, for ever, and the first instant stays", async (t) => {
  const { control, keyRing, clock } = await storageOf(t);
  const { key, keyId } = await keyRing.create(accountId, { name: "", expiresAt: null });
  assert.equal((await keyRing.verify(key))?.id, keyId);
  clock.advance(5);
  assert.equal((await revokeKey(control, keyId, clock.now()))?.revokedAt, startMs + 5);
  assert.equal(await keyRing.verify(key), null);
  assert.equal(await keyRing.goodKey(keyId), null);
  clock.advance(5);
  assert.equal((await revokeKey(control, keyId, clock.now()))?.revokedAt, startMs + 5);
  assert.equal(await revokeKey(control, "nothing", clock.now()), null);
});

test("a key is valid until its expiry, exclusive", async (t) => {
  const { keyRing, clock } = await storageOf(t);
  const expiresAt = startMs + 1_000;
  const { key, keyId } = await keyRing.create(accountId, { name: "", expiresAt });
  clock.advance(999);
  assert.equal((await keyRing.verify(key))?.id, keyId);
  clock.advance(1);
  assert.equal(await keyRing.verify(key), null);
  assert.equal(await keyRing.goodKey(keyId), null);
});

test("the last use is kept to the minute", async (t) => {
  const { control, keyRing, clock } = await storageOf(t);
  const { keyId } = await keyRing.create(accountId, { name: "", expiresAt: null });
  const used = async () => {
    await touchKey(control, keyId, clock.now());
    return (await keyById(control, keyId))?.lastUsedAt;
  };
  assert.equal(await used(), startMs);
  clock.advance(60_000);
  assert.equal(await used(), startMs);
  clock.advance(1);
  assert.equal(await used(), startMs + 60_001);
});
