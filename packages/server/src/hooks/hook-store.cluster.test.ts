import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { deliveriesMax, hooksMax } from "@sightline/contract";
import {
  controlAddress,
  openNodes,
  testOnEachEngine,
} from "@sightline/test-kit/engines/control-engines.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { applyWorkspace } from "../accounts/apply-workspace.ts";
import { readWorkspaceFile } from "../accounts/workspace-file/read-workspace-file.ts";
import { openControl } from "../control/control.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import { retryWhileLocked } from "../platform/retry-while-locked.ts";
import {
  addDelivery,
  claimDelivery,
  deliveriesOf,
  deliveryById,
  deliveryDue,
  forgetDeliveries,
  recordAttempt,
} from "./delivery-store.ts";
import {
  addHook,
  claimCheck,
  deleteHook,
  disableHook,
  enableHook,
  type HookRecord,
  hookById,
  hooksDue,
  hooksOf,
  type NewHook,
  recordCheck,
} from "./hook-store.ts";
import { tellReport } from "./tell-hooks.ts";

const dayMs = 86_400_000;

async function account(control: ControlEngine, name: string): Promise<string> {
  const workspace = readWorkspaceFile(JSON.stringify({ account: { name }, brand: name }));
  await applyWorkspace(control, workspace.accountId, workspace, { now: new HeldClock().now() });
  return workspace.accountId;
}

async function addedHook(...added: Parameters<typeof addHook>): Promise<HookRecord> {
  const hook = await addHook(...added);
  assert.ok(hook !== null);
  return hook;
}

function logOf({ database }: ControlEngine, { id }: HookRecord) {
  const log = database.selectFrom("audit").select(["action", "before", "after"]);
  return log.where("subject", "=", id).orderBy("sequence").execute();
}

/** Without the path of its URL, which may be the receiver's secret. */
function loggedOf({ url, form, name, events, thresholds }: HookRecord) {
  const shown = JSON.stringify({ url: new URL(url).origin, form, name, events, thresholds });
  return [
    { action: "webhook.created", before: null, after: shown },
    { action: "webhook.disabled", before: shown, after: null },
    { action: "webhook.enabled", before: null, after: shown },
    { action: "webhook.deleted", before: shown, after: null },
  ];
}

const threshold = { metric: "rank", above: 3, days: 28, filters: { branded: false } } as const;
const watching = { form: "slack", thresholds: [threshold] } as const;

const createdBy = { kind: "service", id: null, name: "sightline" } as const;
const fresh = { createdBy, disabledAt: null, digestedTo: null, lastNotified: {} } as const;

testOnEachEngine(
  "one of several nodes checks and delivers, and repeats nothing",
  async (t, engine) => {
    const clock = new HeldClock();
    const nodes = await openNodes(t, engine, clock);
    const [one, two] = nodes;
    const [accountId, foreignId] = [await account(one, "One"), await account(one, "Two")];
    const made = {
      id: randomUUID(),
      url: "https://example.com/",
      ...watching,
      name: "Ünïcode \u0000 🦊",
      secret: Buffer.from([0, 255, 7]),
      createdAt: clock.now(),
      nextCheckAt: clock.now() + 5,
    };
    const hook = await addedHook(one, accountId, { ...made, events: ["moved", "digest"] });
    assert.deepEqual(hook, {
      ...made,
      accountId,
      events: ["digest", "moved"],
      ...fresh,
    });
    assert.deepEqual([await hooksOf(two, accountId), await hooksOf(one, foreignId)], [[hook], []]);
    assert.equal(await hookById(one, foreignId, hook.id), null);

    assert.deepEqual(await hooksDue(one, clock.now(), 10), []);
    clock.advance(5);
    assert.deepEqual(await hooksDue(two, clock.now(), 10), [hook]);
    const looks = nodes.map((node) => claimCheck(node, hook, clock.now() + dayMs));
    const [claimed, ...more] = (await Promise.all(looks)).filter((look) => look !== null);
    assert.ok(claimed !== undefined && more.length === 0, "one of them looks");
    const lastNotified = { rank: { direction: "up", to: clock.now() } } as const;
    const progress = { nextCheckAt: clock.now(), digestedTo: clock.now(), lastNotified };
    assert.equal(await recordCheck(two, hook, progress), false, "its claim is another's by now");
    assert.equal(await recordCheck(one, claimed, progress), true);
    assert.deepEqual(await hooksDue(two, clock.now(), 10), [{ ...hook, ...progress }]);

    const now = clock.now();
    const times = { createdAt: now, nextAt: now };
    const event = { id: "msg_1", hookId: hook.id, event: "moved", body: "{}", ...times } as const;
    for (const node of nodes) await addDelivery(node, accountId, event);
    const delivery = await deliveryDue(two, [], now);
    assert.ok(delivery !== null);
    assert.equal(await deliveryDue(one, [accountId], now), null);
    const claims = nodes.map((node) => claimDelivery(node, delivery, now + 60_000));
    assert.deepEqual((await Promise.all(claims)).toSorted(), [false, true]);
    assert.equal(await deliveryDue(one, [], now), null, "an event is noted once");
    const attempt = { at: clock.now(), status: null, durationMs: 3, error: "no" };
    const failed = { state: "pending", nextAt: clock.now() + 10, attempts: [attempt] } as const;
    await recordAttempt(one, foreignId, "msg_1", { ...failed, state: "failed" });
    await recordAttempt(one, accountId, "msg_1", failed);
    assert.deepEqual(await deliveryById(two, accountId, "msg_1"), { ...delivery, ...failed });
    assert.equal(await deliveryById(two, foreignId, "msg_1"), null);
    assert.deepEqual(await deliveriesOf(two, foreignId, hook.id, now), []);

    await disableHook(one, accountId, hook.id, clock.now());
    const disabledAt = clock.now();
    clock.advance(1);
    await disableHook(two, accountId, hook.id, clock.now());
    assert.equal((await hookById(one, accountId, hook.id))?.disabledAt, disabledAt);
    assert.deepEqual(await hooksDue(one, clock.now(), 10), []);
    const enabled = { ...hook, ...progress, nextCheckAt: clock.now() + dayMs };
    await enableHook(one, accountId, hook.id, { ...enabled, now: clock.now() });
    assert.deepEqual(await hookById(one, accountId, hook.id), enabled);

    assert.equal(await deleteHook(one, foreignId, hook.id, clock.now()), null);
    assert.deepEqual(await deleteHook(one, accountId, hook.id, clock.now()), enabled);
    assert.deepEqual(await logOf(one, hook), loggedOf(hook));
    assert.equal(await deliveryById(two, accountId, "msg_1"), null);
    await recordAttempt(two, accountId, "msg_1", failed); // which was under way
  },
);

testOnEachEngine("nodes that create at the same time stay within the most", async (t, engine) => {
  const clock = new HeldClock();
  const nodes = await openNodes(t, engine, clock, { writeWaitMs: 1 });
  const [one] = nodes;
  const [accountId, foreignId] = [await account(one, "One"), await account(one, "Two")];
  const times = { createdAt: clock.now(), nextCheckAt: clock.now() };
  const plain = { url: "https://example.com/", form: "json", name: "", thresholds: [] } as const;
  const made = { ...plain, ...times, events: ["moved"], secret: Buffer.alloc(1) } as const;
  const add = (node: ControlEngine, owner = accountId) =>
    retryWhileLocked(() => addHook(node, owner, { ...made, id: randomUUID() }));
  for (let each = 1; each < hooksMax; each += 1) await add(one);
  const last = await Promise.all([...nodes, ...nodes].map((node) => add(node)));
  assert.equal(last.filter((hook) => hook !== null).length, 1);
  assert.equal((await hooksOf(one, accountId)).length, hooksMax);
  const log = one.database.selectFrom("audit").select("sequence");
  const entries = await log.where("action", "=", "webhook.created").execute();
  assert.equal(entries.length, hooksMax, "who is refused leaves no entry");
  assert.ok(await add(one, foreignId));
});

testOnEachEngine("the latest deliveries are kept, for a month", async (t, engine) => {
  const clock = new HeldClock();
  const control = await openControl(await controlAddress(t, engine), clock);
  t.after(() => control.close());
  const accountId = await account(control, "A");
  const hook = await addedHook(control, accountId, {
    id: randomUUID(),
    url: "https://example.com/",
    form: "json",
    name: "",
    thresholds: [],
    events: ["digest"],
    secret: Buffer.alloc(1),
    createdAt: clock.now(),
    nextCheckAt: clock.now(),
  });
  const add = async (id: string, isEnded: boolean) => {
    clock.advance(1);
    const times = { createdAt: clock.now(), nextAt: clock.now() };
    const event = { id, hookId: hook.id, event: "digest", body: "{}", ...times } as const;
    await addDelivery(control, accountId, event);
    const ended = { state: "delivered", nextAt: null, attempts: [] } as const;
    if (isEnded) await recordAttempt(control, accountId, id, ended);
  };
  await add("pending", false);
  for (let each = 0; each < deliveriesMax + 2; each += 1) await add(`ended ${each}`, true);
  const listed = async () =>
    (await deliveriesOf(control, accountId, hook.id, clock.now())).map(({ id }) => id);
  const ids = await listed();
  assert.equal(ids.length, deliveriesMax);
  assert.deepEqual([ids.at(0), ids.at(-1)], [`ended ${deliveriesMax + 1}`, "ended 2"]);
  assert.equal(await deliveryById(control, accountId, "ended 0"), null);
  assert.equal(
    (await deliveryById(control, accountId, "pending"))?.body,
    "{}",
    "it is still to be sent",
  );
  assert.equal((await deliveryById(control, accountId, "ended 9"))?.body, null);
  clock.advance(30 * dayMs);
  assert.deepEqual(await listed(), []);
  await forgetDeliveries(control, clock.now());
  assert.equal(await deliveryById(control, accountId, "pending"), null);
});

testOnEachEngine(
  "a report is told of in its transaction, once, to the webhooks that are there",
  async (t, engine) => {
    const clock = new HeldClock();
    const nodes = await openNodes(t, engine, clock);
    const [one, two] = nodes;
    const accountId = await account(one, "Told");
    const foreignId = await account(one, "Foreign");
    const plain = { url: "https://example.com/", name: "", secret: Buffer.alloc(1), ...watching };
    const times = { createdAt: clock.now(), nextCheckAt: clock.now() };
    const hookOf = (owner: string, events: NewHook["events"]) =>
      addedHook(one, owner, { ...plain, ...times, id: randomUUID(), events });
    const stays = await hookOf(accountId, ["report-made"]);
    const goes = await hookOf(accountId, ["report-made"]);
    await hookOf(accountId, ["moved"]);
    await hookOf(foreignId, ["report-made"]);
    const report = {
      reportId: randomUUID(),
      name: "Weekly",
      timeRange: { from: "2026-05-01T00:00:00.000Z", to: "2026-06-01T00:00:00.000Z" },
      address: null,
      madeAt: clock.now(),
    };
    const tell = (end: () => Promise<void>) =>
      one.database.transaction().execute(async (database) => {
        const within = { ...one, database };
        await within.lock(database, { account: accountId });
        await tellReport(within, accountId, report);
        await end();
      });
    const told = () =>
      one.database.selectFrom("hook_deliveries").select("hook_id").orderBy("hook_id").execute();
    const failed = tell(() => Promise.reject(new Error("the report was not stored")));
    await assert.rejects(failed, /the report was not stored/);
    assert.deepEqual(await told(), []);
    await tell(async () => undefined);
    await deleteHook(two, accountId, goes.id, clock.now());
    await tell(async () => undefined);
    assert.deepEqual(await told(), [{ hook_id: stays.id }]);
    const [delivery] = await deliveriesOf(one, accountId, stays.id, clock.now());
    assert.deepEqual([delivery?.event, delivery?.state], ["report-made", "pending"]);
  },
);
