import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import {
  type ControlEngineName,
  controlAddress,
  testOnEachEngine,
} from "@sightline/test-kit/engines/control-engines.ts";
import { controlOf } from "@sightline/test-kit/engines/control-of.ts";
import { everyEntry } from "@sightline/test-kit/every-entry.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { deleteAccount } from "../accounts/account-deletions.ts";
import { applyWorkspace } from "../accounts/apply-workspace.ts";
import type { Workspace } from "../accounts/workspace.ts";
import { storeLabels } from "../answers/labels/label-store.ts";
import { openControl } from "../control/control.ts";
import { actingFor, type ControlEngine } from "../control/control-engine.ts";
import { createKey, revokeKey } from "../keys/key-store.ts";
import type { Actor } from "../platform/actor.ts";
import { audited, auditOf, serviceLog, verifyAudit } from "./audit-log.ts";

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";
const ann: Actor = { kind: "key", id: "key-of-ann", name: "Ann's", requestId: "req_1" };

function itemsOf(side: object | null) {
  const items = side !== null && "items" in side ? side.items : [];
  return items as readonly Readonly<Record<string, unknown>>[];
}

async function opened(t: TestContext, engine: ControlEngineName) {
  const clock = new HeldClock();
  const address = await controlAddress(t, engine);
  const control = await controlOf(accountId, clock, address);
  t.after(() => control.close());
  const again = async () => {
    const other = await openControl(address, clock);
    t.after(() => other.close());
    return other;
  };
  return { control, clock, again };
}

function newKey(id: string) {
  const limits = { expiresAt: null, ratePerSecond: null, dailyQuota: null };
  return { id, name: "for a board", hash: Buffer.alloc(32), scopes: ["read"], ...limits } as const;
}

testOnEachEngine("a change and its entry are there together, or neither", async (t, engine) => {
  const { control, clock } = await opened(t, engine);
  const by = actingFor(control, ann);
  await createKey(by, accountId, newKey("one"), clock.now());
  await revokeKey(by, "one", clock.now());
  await revokeKey(by, "one", clock.now()); // changes nothing
  await assert.rejects(createKey(by, accountId, newKey("one"), clock.now()), /unique/i);
  const entries = await auditOf(control, accountId, everyEntry);
  assert.deepEqual(
    entries.map(({ sequence, action, subject, actor }) => [sequence, action, subject, actor.name]),
    [
      [3, "key.revoked", "one", "Ann's"],
      [2, "key.created", "one", "Ann's"],
      [1, "workspace.applied", null, "sightline"],
    ],
  );
  const [revoked, created] = entries;
  const shown = { name: "for a board", scopes: "read", expiresAt: null, rate: null, quota: null };
  assert.deepEqual([created?.before, created?.after], [null, shown]);
  assert.deepEqual([revoked?.before, revoked?.after], [shown, null]);
  assert.deepEqual([created?.actor, created?.at], [ann, clock.now()]);
  assert.equal(JSON.stringify(entries).includes('hash":"0000'), false);
  const [service] = await auditOf(control, serviceLog, everyEntry);
  assert.deepEqual([service?.action, service?.subject], ["account.created", accountId]);
});

testOnEachEngine("entries of several writers have one order without gaps", async (t, engine) => {
  const { control, clock, again } = await opened(t, engine);
  // Two connections of one thread to a file would wait for each other.
  const writers = [control, engine === "sqlite" ? control : await again()].map((each) =>
    actingFor(each, ann),
  );
  const ids = Array.from({ length: 40 }, (_, place) => `key-${place}`);
  await Promise.all(
    ids.map((id, place) =>
      createKey(writers[place % 2] as ControlEngine, accountId, newKey(id), clock.now()),
    ),
  );
  const { brokenAt, entries, head } = await verifyAudit(control, accountId);
  const [last] = await auditOf(control, accountId, everyEntry);
  assert.deepEqual([brokenAt, entries, head], [null, 41, last?.hash]);
});

testOnEachEngine("what is changed, added or taken away later is found", async (t, engine) => {
  const { control, clock } = await opened(t, engine);
  for (const id of ["a", "b", "c"]) await createKey(control, accountId, newKey(id), clock.now());
  const rows = await control.database.selectFrom("audit").selectAll().execute();
  const own = rows.filter(({ account_id }) => account_id === accountId);
  const second = own.find(({ sequence }) => sequence === 2);
  assert.ok(second !== undefined);
  const edits = {
    at: 1,
    actor: "{}",
    actor_id: "another",
    request_id: "req_2",
    action: "key.revoked",
    subject: "x",
    before: "{}",
    after: "{}",
  } as const;
  for (const [column, value] of Object.entries(edits)) {
    const update = (to: Partial<typeof second>) =>
      control.database
        .updateTable("audit")
        .set(to)
        .where("account_id", "=", accountId)
        .where("sequence", "=", 2)
        .execute();
    await update({ [column]: value });
    assert.equal((await verifyAudit(control, accountId)).brokenAt, 2, column);
    await update({ [column]: second[column as keyof typeof edits] });
    assert.equal((await verifyAudit(control, accountId)).brokenAt, null, column);
  }
  for (const sequence of [0, -1, own.length + 2]) {
    const added = { ...second, sequence };
    await control.database.insertInto("audit").values(added).execute();
    assert.notEqual((await verifyAudit(control, accountId)).brokenAt, null, `entry ${sequence}`);
    const rows = control.database.deleteFrom("audit").where("account_id", "=", accountId);
    await rows.where("sequence", "=", sequence).execute();
  }
  const ofAccount = control.database.deleteFrom("audit").where("account_id", "=", accountId);
  await ofAccount.where("sequence", "=", 3).execute();
  assert.deepEqual((await verifyAudit(control, accountId)).brokenAt, 3);
});

testOnEachEngine("entries are found by action, actor, subject and time", async (t, engine) => {
  const { control, clock } = await opened(t, engine);
  const by = actingFor(control, ann);
  await createKey(by, accountId, newKey("one"), clock.now());
  clock.advance(1_000);
  await createKey(control, accountId, newKey("two"), clock.now());
  const found = async (selection: Partial<typeof everyEntry> | object) =>
    (await auditOf(control, accountId, { ...everyEntry, ...selection })).map(
      ({ sequence }) => sequence,
    );
  assert.deepEqual(await found({ action: "key.created" }), [3, 2]);
  assert.deepEqual(await found({ actorId: "key-of-ann" }), [2]);
  assert.deepEqual(await found({ subject: "two" }), [3]);
  assert.deepEqual(await found({ fromMs: clock.now() }), [3]);
  assert.deepEqual(await found({ toMs: clock.now() }), [2, 1]);
  assert.deepEqual(await found({ limit: 1 }), [3]);
  assert.deepEqual(await found({ before: 3, limit: 1 }), [2]);
  assert.deepEqual(await auditOf(control, "another", everyEntry), []);
});

testOnEachEngine("an entry is found however many are after it", async (t, engine) => {
  const { control, clock } = await opened(t, engine);
  await createKey(control, accountId, newKey("one"), clock.now());
  const [row] = await control.database.selectFrom("audit").selectAll().limit(1).execute();
  assert.ok(row !== undefined);
  const far = { ...row, account_id: accountId, sequence: 35_000, subject: "far" };
  await control.database.insertInto("audit").values(far).execute();
  const found = async (selection: object) =>
    (await auditOf(control, accountId, { ...everyEntry, ...selection })).map(
      ({ sequence }) => sequence,
    );
  assert.deepEqual(await found({}), [35_000, 2, 1]);
  assert.deepEqual(await found({ subject: "one" }), [2]);
  assert.deepEqual(await found({ limit: 2, before: 999_999_999_999_999 }), [35_000, 2]);
  assert.deepEqual(await found({ before: 2 }), [1]);
});

testOnEachEngine("what is gone is told first, however much comes with it", async (t, engine) => {
  const { control, clock } = await opened(t, engine);
  const entity = { caseSensitive: false, aliases: [], domains: [] };
  const brand = { ...entity, id: "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a00f", name: "Acme" };
  const rival = { ...entity, id: "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a010", name: "Globex" };
  const prompt = (place: number) => ({
    id: `0b9ae1d9-0a40-5b4c-8a3d-${String(place).padStart(12, "0")}`,
    text: `${place} ${"é".repeat(1_000)}`,
    topicId: null,
    branded: false,
    paused: false,
  });
  const sidesOf = async (declared: Partial<Workspace>) => {
    const workspace = { accountId, accountName: "Acme", entities: [], topics: [], prompts: [] };
    const applied = { ...workspace, ...declared };
    await applyWorkspace(control, accountId, applied, { now: clock.now() });
    const [entry] = await auditOf(control, accountId, {
      ...everyEntry,
      action: "workspace.applied",
    });
    const { before, after } = { before: null, after: null, ...entry };
    const retired = after !== null && "retired" in after ? after.retired : null;
    return { before: itemsOf(before), after: itemsOf(after), retired };
  };
  const [acme, globex] = [
    { ...brand, kind: "brand" },
    { ...rival, kind: "competitor" },
  ] as const;
  const note = { date: "2026-01-20", text: "A note." };
  await sidesOf({ entities: [acme, globex] });
  const prompts = Array.from({ length: 300 }, (_, place) => prompt(place));
  const notes = Array.from({ length: 200 }, () => ({ ...note, text: "n".repeat(400) }));
  const gone = await sidesOf({ entities: [acme], prompts, notes });
  assert.deepEqual([gone.before[0]?.["name"], gone.retired], ["Globex", 1]);
  const back = await sidesOf({ entities: [acme, globex], prompts, notes: [note] });
  const leftOut = { leftOut: true, bytes: 88_003 };
  const { retired, ...was } = back.before[1] ?? {};
  assert.deepEqual(back.before[0], { kind: "account", notes: leftOut });
  assert.deepEqual([retired, was["name"]], [true, "Globex"]);
  assert.deepEqual(back.after, [{ kind: "account", notes: JSON.stringify([note]) }, was]);
});

testOnEachEngine("of labels, an entry names who said something new", async (t, engine) => {
  const { control, clock } = await opened(t, engine);
  const label = { answerId: "a", entityId: "e", metric: "mentions", value: true } as const;
  const said = (labeller: string) => ({ ...label, labeller, labelledAt: clock.now() });
  await storeLabels(control, accountId, [said("ann")], clock.now());
  await storeLabels(control, accountId, [said("ann"), said("bea")], clock.now());
  const [entry] = await auditOf(control, accountId, everyEntry);
  assert.deepEqual(entry?.after, { labels: 1, labellers: ["bea"] });
});

testOnEachEngine("the service's log keeps the end of a deleted account's", async (t, engine) => {
  const { control, clock } = await opened(t, engine);
  await createKey(control, accountId, newKey("one"), clock.now());
  const { entries, head } = await verifyAudit(control, accountId);
  await deleteAccount(control, accountId, clock.now());
  const [deleted] = await auditOf(control, serviceLog, everyEntry);
  assert.deepEqual(deleted?.before, { entries, head });
  assert.deepEqual(await auditOf(control, accountId, everyEntry), []);
});

testOnEachEngine(
  "of a side that is too long the longest is left out, and said so",
  async (t, engine) => {
    const { control, clock } = await opened(t, engine);
    const after = { retired: 1, items: "é".repeat(40_000), padding: "x".repeat(50_000) };
    await audited(control, accountId, clock.now(), async () => {
      return [null, { action: "labels.stored", subject: null, before: null, after }];
    });
    const [entry] = await auditOf(control, accountId, everyEntry);
    const items = { leftOut: true, bytes: 80_002 };
    assert.deepEqual(entry?.after, { ...after, items }, "what is short stays");
    assert.equal((await verifyAudit(control, accountId)).brokenAt, null);
  },
);
