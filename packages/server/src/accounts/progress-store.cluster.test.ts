import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import {
  type ControlEngineName,
  controlAddress,
  testOnEachEngine,
} from "../../test/control-engines.ts";
import { controlOf } from "../../test/control-of.ts";
import { HeldClock } from "../../test/held-clock.ts";
import type { Control } from "../control/control.ts";

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
): Promise<Control> {
  const control = await controlOf(one, clock, await controlAddress(t, engine));
  t.after(() => control.close());
  const workspace = await control.workspace(one);
  assert.ok(workspace !== null);
  for (const id of [two, three]) await control.apply(id, { ...workspace, accountId: id });
  return control;
}

const ids = (accounts: readonly { readonly id: string }[]) => accounts.map(({ id }) => id);

testOnEachEngine(
  "changes come in their order, each account once, after the place that was seen",
  async (t, engine) => {
    const control = await controlOfThree(t, engine);
    const all = await control.changes(0);
    assert.deepEqual(ids(all.accounts), [one, two, three]);
    assert.deepEqual(await control.changes(all.cursor), { accounts: [], cursor: all.cursor });

    await control.noteRecorded(two, { sequence: 5, recordedAtMs: 7 });
    await control.noteRecorded(one, { sequence: 1, recordedAtMs: 8 });
    await control.noteRecorded(two, { sequence: 6, recordedAtMs: 9 });
    const { accounts } = await control.changes(all.cursor);
    assert.deepEqual(ids(accounts), [one, two]);
    assert.deepEqual(accounts[1]?.recorded, { sequence: 6, recordedAtMs: 9 });

    const workspace = await control.workspace(three);
    assert.ok(workspace !== null);
    const { cursor } = await control.changes(0);
    await control.apply(three, workspace);
    assert.deepEqual((await control.changes(cursor)).accounts, [], "nothing changed");
    await control.apply(three, { ...workspace, accountName: "Another" });
    assert.deepEqual(ids((await control.changes(cursor)).accounts), [three]);
  },
);

testOnEachEngine(
  "behind is what was recorded and is not in the facts, or by another workspace",
  async (t, engine) => {
    const control = await controlOfThree(t, engine);
    const behind = async (by = rules) => ids((await control.behind(by)).accounts);
    assert.deepEqual(await behind(), [], "no answers, no facts");
    const recorded = { sequence: 5, recordedAtMs: 7 };
    await control.noteRecorded(two, recorded);
    assert.deepEqual(await behind(), [two]);

    const revision = (await control.revision(two)) ?? 0;
    const projected = { sequence: 5, revision, rules };
    const changeOf = async () => (await control.progress(two))?.change ?? 0;
    await control.noteProjected([
      { accountId: two, recorded, projected, change: await changeOf() },
    ]);
    assert.deepEqual(await behind(), []);
    assert.deepEqual((await control.progress(two))?.projected, projected);
    assert.deepEqual(await behind("rules 2"), [two], "other rules");

    const workspace = await control.workspace(two);
    assert.ok(workspace !== null);
    await control.apply(two, { ...workspace, accountName: "Another" });
    assert.deepEqual(await behind(), [two], "another workspace");
    await control.noteProjected([
      {
        ...{ accountId: two, recorded, change: await changeOf() },
        projected: { ...projected, revision: revision + 1 },
      },
    ]);
    assert.deepEqual(await behind(), []);
    await control.forgetProjected(null);
    assert.deepEqual(await behind(), [two], "facts that were dropped");
  },
);

testOnEachEngine(
  "what an import noted meanwhile outlives what the projection found before",
  async (t, engine) => {
    const control = await controlOfThree(t, engine);
    await control.noteRecorded(two, { sequence: 5, recordedAtMs: 7 });
    const { change = 0 } = (await control.progress(two)) ?? {};
    await control.noteRecorded(two, { sequence: 6, recordedAtMs: 9 });
    const recorded = { sequence: 5, recordedAtMs: 7 };
    const projected = { sequence: 5, revision: 1, rules };
    await control.noteProjected([{ accountId: two, recorded, change, projected }]);
    const progress = await control.progress(two);
    assert.deepEqual(progress?.recorded, { sequence: 6, recordedAtMs: 9 });
    assert.deepEqual(progress?.projected, projected);
    assert.deepEqual(ids((await control.behind(rules)).accounts), [two]);
  },
);

testOnEachEngine(
  "what a removal forgot stays forgotten, whatever the projection found before",
  async (t, engine) => {
    const control = await controlOfThree(t, engine);
    const changeOf = async () => (await control.progress(two))?.change ?? 0;
    const revision = (await control.revision(two)) ?? 0;
    const recorded = { sequence: 5, recordedAtMs: 7 };
    const projected = { sequence: 5, revision, rules };
    await control.noteRecorded(two, recorded);
    for (const time of ["before the first note", "after it"]) {
      const change = await changeOf();
      await control.noteRemoved(two, recorded);
      await control.noteProjected([{ accountId: two, recorded, change, projected }]);
      assert.equal((await control.progress(two))?.projected, null, time);
      assert.deepEqual(ids((await control.behind(rules)).accounts), [two], time);
      const now = { accountId: two, recorded, change: await changeOf(), projected };
      await control.noteProjected([now]);
      assert.deepEqual(ids((await control.behind(rules)).accounts), [], time);
    }
  },
);

testOnEachEngine(
  "an account without any answer left is behind until its facts have none",
  async (t, engine) => {
    const control = await controlOfThree(t, engine);
    const behind = async () => ids((await control.behind(rules)).accounts);
    const changeOf = async () => (await control.progress(two))?.change ?? 0;
    const none = { sequence: 0, recordedAtMs: null };
    await control.noteRemoved(two, none);
    assert.deepEqual(await behind(), [two]);
    const noFacts = { accountId: two, recorded: none, projected: null };
    await control.noteProjected([{ ...noFacts, change: await changeOf() }]);
    assert.deepEqual(await behind(), [], "it has no facts");
    await control.noteRemoved(two, none);
    const empty = { sequence: 0, revision: 1, rules };
    await control.noteProjected([{ ...noFacts, projected: empty, change: await changeOf() }]);
    assert.deepEqual(await behind(), [], "they are empty");
  },
);

testOnEachEngine("sums over all accounts", async (t, engine) => {
  const control = await controlOfThree(t, engine);
  assert.deepEqual(await control.totals(), { recorded: 0, behind: 0, recordedAtMs: null });
  await control.noteRecorded(one, { sequence: 5, recordedAtMs: 7 });
  await control.noteRecorded(two, { sequence: 3, recordedAtMs: 9 });
  const recorded = { sequence: 5, recordedAtMs: 7 };
  const projected = { sequence: 4, revision: 1, rules };
  const { change = 0 } = (await control.progress(one)) ?? {};
  await control.noteProjected([{ accountId: one, recorded, projected, change }]);
  assert.deepEqual(await control.totals(), { recorded: 8, behind: 4, recordedAtMs: 9 });
});

testOnEachEngine(
  "an import that was killed is forgotten, one that goes on is not",
  async (t, engine) => {
    const clock = new HeldClock();
    const control = await controlOfThree(t, engine, clock);
    await control.beginRecording(one, "a");
    await control.beginRecording(one, "b");
    await control.beginRecording(two, "c");
    assert.deepEqual((await control.recordingAccounts()).toSorted(), [one, two]);
    await control.endRecording("a");
    assert.deepEqual((await control.recordingAccounts()).toSorted(), [one, two]);
    clock.advance(50_000);
    await control.beginRecording(one, "b");
    clock.advance(20_000);
    await control.forgetRecordings(60_000);
    assert.deepEqual(await control.recordingAccounts(), [one]);
  },
);
