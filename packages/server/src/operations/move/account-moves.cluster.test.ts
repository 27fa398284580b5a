import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { migratedPostgresUrl } from "@sightline/test-kit/engines/migrated-postgres.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { workspaceOf } from "../../accounts/account-store.ts";
import { openControl } from "../../control/control.ts";
import type { ControlAddress } from "../../control/control-engine.ts";
import { keysOf } from "../../keys/key-store.ts";
import {
  accountToMove,
  addDeclared,
  beginMove,
  type DeclaredItem,
  declaredItems,
  endMove,
  usageOfAccount,
} from "./account-moves.ts";

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";
const otherAccount = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a002";
const idOf = (number: number) => `11111111-1111-4111-8111-${String(number).padStart(12, "0")}`;
const now = 1_000;
const account = { name: "Acme", createdAt: 5, fileHash: "a".repeat(64) };

const brand: DeclaredItem = {
  kind: "entity",
  retired: false,
  item: {
    id: idOf(0),
    kind: "brand",
    name: "Acme",
    caseSensitive: true,
    aliases: [{ name: "Acme Inc", caseSensitive: false }],
    domains: ["acme.com"],
    except: ["acme of all"],
  },
};
const topic: DeclaredItem = { kind: "topic", retired: true, item: { id: idOf(0), name: "Old" } };
/** More than a page. */
const prompts = Array.from({ length: 1_203 }, (_, place): DeclaredItem => {
  const item = { id: idOf(place), text: `Which ${place}?`, topicId: idOf(0) };
  const tags = place % 4 === 0 ? { tags: ["Buying", "de"] } : {};
  const flags = { branded: place % 2 === 0, paused: place % 3 === 0, ...tags };
  return { kind: "prompt", retired: place % 5 === 0, item: { ...item, ...flags } };
});
const items = [brand, topic, ...prompts];

const key = {
  id: "key",
  accountId,
  name: "robot",
  hash: Buffer.alloc(32, 7),
  createdAt: 6,
  expiresAt: 9,
  revokedAt: 8,
  lastUsedAt: 7,
  ratePerSecond: 3,
  dailyQuota: "off" as const,
  scopes: ["import", "manage"] as const,
  personId: null,
};

async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const read: Item[] = [];
  for await (const item of items) read.push(item);
  return read;
}

const engines: Readonly<Record<string, () => Promise<ControlAddress>>> = {
  SQLite: async () => ({ sqlite: ":memory:" }),
  PostgreSQL: async () => ({ postgres: await migratedPostgresUrl() }),
};

for (const [name, addressOf] of Object.entries(engines)) {
  const opened = async (t: TestContext) => {
    const control = await openControl(await addressOf(), new HeldClock());
    t.after(() => control.close());
    return control;
  };

  test(`${name}: an account arrives with all it had, the retired items too`, async (t) => {
    const control = await opened(t);
    assert.equal(await accountToMove(control, accountId), null);
    assert.equal(await beginMove(control, accountId, account), "begun");
    await addDeclared(control, accountId, items);
    await addDeclared(control, accountId, items.slice(0, 7)); // repeated
    const before = await control.version();
    const usage = [
      { keyId: "key", day: 20_000, calls: 4 },
      { keyId: "key", day: 20_001, calls: 5_000_000_000 },
    ];
    // Another service's right to create accounts does not hold here.
    const arriving = { ...key, scopes: [...key.scopes, "accounts" as const] };
    await endMove(control, accountId, { keys: [arriving], usage }, now);
    await new Promise(setImmediate); // a version is read once a turn
    assert.notEqual(await control.version(), before);
    assert.deepEqual(await accountToMove(control, accountId), { name: "Acme", createdAt: 5 });
    assert.deepEqual(await all(declaredItems(control, accountId)), items);
    assert.deepEqual(await keysOf(control, accountId), [key]);
    assert.deepEqual(await usageOfAccount(control, accountId), usage);
    assert.deepEqual(await usageOfAccount(control, otherAccount), []);
    const workspace = await workspaceOf(control, accountId);
    assert.equal(workspace?.prompts.length, prompts.filter(({ retired }) => !retired).length);
    assert.deepEqual([workspace?.entities, workspace?.topics], [[brand.item], []]);
  });

  test(`${name}: a move goes on with its own file, and ends once`, async (t) => {
    const control = await opened(t);
    assert.equal(await beginMove(control, accountId, account), "begun");
    assert.equal(await beginMove(control, accountId, account), "resumed");
    const other = { ...account, fileHash: "b".repeat(64) };
    assert.equal(await beginMove(control, accountId, other), "exists");
    await endMove(control, accountId, { keys: [], usage: [] }, now);
    assert.equal(await beginMove(control, accountId, account), "exists");
    await assert.rejects(
      endMove(control, accountId, { keys: [key], usage: [] }, now),
      /not being moved/,
    );
    assert.deepEqual(await keysOf(control, null), []);
  });

  test(`${name}: keys and calls arrive together or not`, async (t) => {
    const control = await opened(t);
    await beginMove(control, accountId, account);
    await assert.rejects(endMove(control, accountId, { keys: [key, key], usage: [] }, now));
    assert.deepEqual(await keysOf(control, null), []);
    assert.equal(await beginMove(control, accountId, account), "resumed");
  });
}
