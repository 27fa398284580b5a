import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { deliveriesMax } from "@sightline/contract";
import { controlAddress, testOnEachEngine } from "../../test/control-engines.ts";
import { HeldClock } from "../../test/held-clock.ts";
import { openControl } from "./control.ts";
import { readWorkspaceFile } from "./workspace-file/read-workspace-file.ts";

const dayMs = 86_400_000;

testOnEachEngine(
  "one of several nodes looks and delivers, and repeats nothing",
  async (t, engine) => {
    const clock = new HeldClock();
    const address = await controlAddress(t, engine);
    const nodes = [await openControl(address, clock), await openControl(address, clock)] as const;
    t.after(() => Promise.all(nodes.map((node) => node.close())));
    const [one, two] = nodes;
    const [accountId, foreignId] = [await account("One"), await account("Two")];
    const made = {
      ...{ id: randomUUID(), url: "https://example.com/", name: "Ünïcode \u0000 🦊" },
      ...{ secret: Buffer.from([0, 255, 7]), lookAt: clock.now() + 5 },
    };
    const hook = await one.createHook(accountId, { ...made, events: ["moved", "digest"] });
    assert.deepEqual(hook, {
      ...{ ...made, accountId, events: ["digest", "moved"], createdAt: clock.now() },
      ...{ disabledAt: null, digestedTo: null, told: {} },
    });
    assert.deepEqual(await two.hooks(accountId), [hook]);
    assert.deepEqual([await one.hooks(foreignId), await one.hook(foreignId, hook.id)], [[], null]);

    assert.deepEqual(await one.hooksDue(10), []);
    clock.advance(5);
    assert.deepEqual(await two.hooksDue(10), [hook]);
    const looks = nodes.map((node) => node.claimLook(hook, clock.now() + dayMs));
    assert.deepEqual((await Promise.all(looks)).toSorted(), [false, true]);
    const told = { rank: { direction: "up", to: clock.now() } } as const;
    const progress = { lookAt: clock.now(), digestedTo: clock.now(), told };
    await one.noteLook(accountId, hook.id, progress);
    assert.deepEqual(await two.hooksDue(10), [{ ...hook, ...progress }]);

    const event = { hookId: hook.id, event: "moved", body: "{}", nextAt: clock.now() } as const;
    for (const node of nodes) await node.addDelivery(accountId, { ...event, id: "msg_1" });
    const [delivery, ...others] = await two.deliveriesDue([], 10);
    assert.ok(delivery !== undefined && others.length === 0, "an event is noted once");
    assert.deepEqual(await one.deliveriesDue([accountId], 10), []);
    const claims = nodes.map((node) => node.claimDelivery(delivery, clock.now() + 60_000));
    assert.deepEqual((await Promise.all(claims)).toSorted(), [false, true]);
    const attempt = { at: clock.now(), status: null, durationMs: 3, error: "no" };
    const failed = { state: "pending", nextAt: clock.now() + 10, attempts: [attempt] } as const;
    await one.noteAttempt(foreignId, "msg_1", { ...failed, state: "failed" });
    await one.noteAttempt(accountId, "msg_1", failed);
    assert.deepEqual(await two.delivery(accountId, "msg_1"), { ...delivery, ...failed });
    assert.equal(await two.delivery(foreignId, "msg_1"), null);
    assert.deepEqual(await two.deliveries(foreignId, hook.id), []);

    await one.disableHook(accountId, hook.id);
    const disabledAt = clock.now();
    clock.advance(1);
    await two.disableHook(accountId, hook.id);
    assert.equal((await one.hook(accountId, hook.id))?.disabledAt, disabledAt);
    assert.deepEqual(await one.hooksDue(10), []);
    await one.enableHook(accountId, hook.id, clock.now() + dayMs);
    const enabled = { ...hook, ...progress, lookAt: clock.now() + dayMs };
    assert.deepEqual(await one.hook(accountId, hook.id), enabled);

    assert.equal(await one.deleteHook(foreignId, hook.id), null);
    assert.deepEqual(await one.deleteHook(accountId, hook.id), enabled);
    assert.equal(await two.delivery(accountId, "msg_1"), null);
    await two.noteAttempt(accountId, "msg_1", failed); // which was under way

    async function account(name: string): Promise<string> {
      const workspace = readWorkspaceFile(JSON.stringify({ account: { name }, brand: name }));
      await one.apply(workspace.accountId, workspace);
      return workspace.accountId;
    }
  },
);

testOnEachEngine("the latest deliveries are kept, for a month", async (t, engine) => {
  const clock = new HeldClock();
  const control = await openControl(await controlAddress(t, engine), clock);
  t.after(() => control.close());
  const workspace = readWorkspaceFile(JSON.stringify({ account: { name: "A" }, brand: "A" }));
  const { accountId } = workspace;
  await control.apply(accountId, workspace);
  const hook = await control.createHook(accountId, {
    ...{ id: randomUUID(), url: "https://example.com/", name: "", events: ["digest"] },
    ...{ secret: Buffer.alloc(1), lookAt: clock.now() },
  });
  const add = async (id: string, isEnded: boolean) => {
    clock.advance(1);
    const event = {
      id,
      hookId: hook.id,
      event: "digest",
      body: "{}",
      nextAt: clock.now(),
    } as const;
    await control.addDelivery(accountId, event);
    const ended = { state: "delivered", nextAt: null, attempts: [] } as const;
    if (isEnded) await control.noteAttempt(accountId, id, ended);
  };
  await add("pending", false);
  for (let each = 0; each < deliveriesMax + 2; each += 1) await add(`ended ${each}`, true);
  const listed = async () => (await control.deliveries(accountId, hook.id)).map(({ id }) => id);
  const ids = await listed();
  assert.equal(ids.length, deliveriesMax);
  assert.deepEqual([ids.at(0), ids.at(-1)], [`ended ${deliveriesMax + 1}`, "ended 2"]);
  assert.equal(await control.delivery(accountId, "ended 0"), null);
  assert.equal(
    (await control.delivery(accountId, "pending"))?.body,
    "{}",
    "it is still to be sent",
  );
  assert.equal((await control.delivery(accountId, "ended 9"))?.body, null);
  clock.advance(30 * dayMs);
  assert.deepEqual(await listed(), []);
  await control.forgetDeliveries();
  assert.equal(await control.delivery(accountId, "pending"), null);
});
