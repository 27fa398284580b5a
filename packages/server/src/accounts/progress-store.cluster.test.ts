import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import {
  type ControlEngineName,
  controlAddress,
  testOnEachEngine,
} from "@sightline/test-kit/engines/control-engines.ts";
import { controlOf } from "@sightline/test-kit/engines/control-of.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { noteRemoved } from "../answers/import-store.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import { revisionOf, workspaceOf } from "./account-store.ts";
import { applyWorkspace } from "./apply-workspace.ts";
import {
  accountsBehind,
  beginRecording,
  changesAfter,
  endRecording,
  forgetProjected,
  forgetRecordings,
  noteProjected,
  noteRecorded,
  progressOf,
  recordingAccounts,
  totalsOf,
} from "./progress-store.ts";

const [one, two, three] = [1, 2, 3].map((n) => `cccccccc-0000-4000-8000-00000000000${n}`) as [
  string,
  string,
  string,
];
const rules = "rules 1";

async function controlOfThree(
  t: TestContext,
  engine: ControlEngineName,
  clock = new HeldClock(),
): Promise<ControlEngine> {
  const control = await controlOf(one, clock, await controlAddress(t, engine));
  t.after(() => control.close());
  const workspace = await workspaceOf(control, one);
  assert.ok(workspace !== null);
  for (const id of [two, three])
    await applyWorkspace(control, id, { ...workspace, accountId: id }, { now: clock.now() });
  return control;
}

const ids = (accounts: readonly { readonly id: string }[]) => accounts.map(({ id }) => id);

testOnEachEngine(
  "changes come in their order, each account once, after the place that was seen",
  async (t, engine) => {
    const control = await controlOfThree(t, engine);
    const all = await changesAfter(control, 0);
    assert.deepEqual(ids(all.accounts), [one, two, three]);
    assert.deepEqual(await changesAfter(control, all.cursor), { accounts: [], cursor: all.cursor });

    await noteRecorded(control, two, { sequence: 5, recordedAtMs: 7 });
    await noteRecorded(control, one, { sequence: 1, recordedAtMs: 8 });
    await noteRecorded(control, two, { sequence: 6, recordedAtMs: 9 });
    const { accounts } = await changesAfter(control, all.cursor);
    assert.deepEqual(ids(accounts), [one, two]);
    assert.deepEqual(accounts[1]?.recorded, { sequence: 6, recordedAtMs: 9 });

    const workspace = await workspaceOf(control, three);
    assert.ok(workspace !== null);
    const { cursor } = await changesAfter(control, 0);
    await applyWorkspace(control, three, workspace, { now: new HeldClock().now() });
    assert.deepEqual((await changesAfter(control, cursor)).accounts, [], "nothing changed");
    await applyWorkspace(
      control,
      three,
      { ...workspace, accountName: "Another" },
      { now: new HeldClock().now() },
    );
    assert.deepEqual(ids((await changesAfter(control, cursor)).accounts), [three]);
  },
);

testOnEachEngine(
  "behind is what was recorded and is not in the facts, or by another workspace",
  async (t, engine) => {
    const control = await controlOfThree(t, engine);
    const behind = async (by = rules) => ids((await accountsBehind(control, by)).accounts);
    assert.deepEqual(await behind(), [], "no answers, no facts");
    const recorded = { sequence: 5, recordedAtMs: 7 };
    await noteRecorded(control, two, recorded);
    assert.deepEqual(await behind(), [two]);

    const revision = (await revisionOf(control, two)) ?? 0;
    const projected = { sequence: 5, revision, rules };
    const changeOf = async () => (await progressOf(control, two))?.change ?? 0;
    await noteProjected(control, [
      { accountId: two, recorded, projected, change: await changeOf() },
    ]);
    assert.deepEqual(await behind(), []);
    assert.deepEqual((await progressOf(control, two))?.projected, projected);
    assert.deepEqual(await behind("rules 2"), [two], "other rules");

    const workspace = await workspaceOf(control, two);
    assert.ok(workspace !== null);
    await applyWorkspace(
      control,
      two,
      { ...workspace, accountName: "Another" },
      { now: new HeldClock().now() },
    );
    assert.deepEqual(await behind(), [two], "another workspace");
    await noteProjected(control, [
      {
        accountId: two,
        recorded,
        change: await changeOf(),
        projected: { ...projected, revision: revision + 1 },
      },
    ]);
    assert.deepEqual(await behind(), []);
    await forgetProjected(control, null);
    assert.deepEqual(await behind(), [two], "facts that were dropped");
  },
);

testOnEachEngine(
  "what an import noted meanwhile outlives what the projection found before",
  async (t, engine) => {
    const control = await controlOfThree(t, engine);
    await noteRecorded(control, two, { sequence: 5, recordedAtMs: 7 });
    const { change = 0 } = (await progressOf(control, two)) ?? {};
    await noteRecorded(control, two, { sequence: 6, recordedAtMs: 9 });
    const recorded = { sequence: 5, recordedAtMs: 7 };
    const projected = { sequence: 5, revision: 1, rules };
    await noteProjected(control, [{ accountId: two, recorded, change, projected }]);
    const progress = await progressOf(control, two);
    assert.deepEqual(progress?.recorded, { sequence: 6, recordedAtMs: 9 });
    assert.deepEqual(progress?.projected, projected);
    assert.deepEqual(ids((await accountsBehind(control, rules)).accounts), [two]);
  },
);

testOnEachEngine(
  "what a removal forgot stays forgotten, whatever the projection found before",
  async (t, engine) => {
    const control = await controlOfThree(t, engine);
    const changeOf = async () => (await progressOf(control, two))?.change ?? 0;
    const revision = (await revisionOf(control, two)) ?? 0;
    const recorded = { sequence: 5, recordedAtMs: 7 };
    const projected = { sequence: 5, revision, rules };
    await noteRecorded(control, two, recorded);
    for (const time of ["before the first note", "after it"]) {
      const change = await changeOf();
      await noteRemoved(control, two, recorded);
      await noteProjected(control, [{ accountId: two, recorded, change, projected }]);
      assert.equal((await progressOf(control, two))?.projected, null, time);
      assert.deepEqual(ids((await accountsBehind(control, rules)).accounts), [two], time);
      const now = { accountId: two, recorded, change: await changeOf(), projected };
      await noteProjected(control, [now]);
      assert.deepEqual(ids((await accountsBehind(control, rules)).accounts), [], time);
    }
  },
);

testOnEachEngine(
  "an account without any answer left is behind until its facts have none",
  async (t, engine) => {
    const control = await controlOfThree(t, engine);
    const behind = async () => ids((await accountsBehind(control, rules)).accounts);
    const changeOf = async () => (await progressOf(control, two))?.change ?? 0;
    const none = { sequence: 0, recordedAtMs: null };
    await noteRemoved(control, two, none);
    assert.deepEqual(await behind(), [two]);
    const noFacts = { accountId: two, recorded: none, projected: null };
    await noteProjected(control, [{ ...noFacts, change: await changeOf() }]);
    assert.deepEqual(await behind(), [], "it has no facts");
    await noteRemoved(control, two, none);
    const empty = { sequence: 0, revision: 1, rules };
    await noteProjected(control, [{ ...noFacts, projected: empty, change: await changeOf() }]);
    assert.deepEqual(await behind(), [], "they are empty");
  },
);

testOnEachEngine("sums over all accounts", async (t, engine) => {
  const control = await controlOfThree(t, engine);
  assert.deepEqual(await totalsOf(control), { recorded: 0, behind: 0, recordedAtMs: null });
  await noteRecorded(control, one, { sequence: 5, recordedAtMs: 7 });
  await noteRecorded(control, two, { sequence: 3, recordedAtMs: 9 });
  const recorded = { sequence: 5, recordedAtMs: 7 };
  const projected = { sequence: 4, revision: 1, rules };
  const { change = 0 } = (await progressOf(control, one)) ?? {};
  await noteProjected(control, [{ accountId: one, recorded, projected, change }]);
  assert.deepEqual(await totalsOf(control), { recorded: 8, behind: 4, recordedAtMs: 9 });
});

testOnEachEngine(
  "an import that was killed is forgotten, one that goes on is not",
  async (t, engine) => {
    const clock = new HeldClock();
    const control = await controlOfThree(t, engine, clock);
    await beginRecording(control, one, "a", clock.now());
    await beginRecording(control, one, "b", clock.now());
    await beginRecording(control, two, "c", clock.now());
    assert.deepEqual((await recordingAccounts(control)).toSorted(), [one, two]);
    await endRecording(control, "a");
    assert.deepEqual((await recordingAccounts(control)).toSorted(), [one, two]);
    clock.advance(50_000);
    await beginRecording(control, one, "b", clock.now());
    clock.advance(20_000);
    await forgetRecordings(control, clock.now() - 60_000);
    assert.deepEqual(await recordingAccounts(control), [one]);
  },
);
