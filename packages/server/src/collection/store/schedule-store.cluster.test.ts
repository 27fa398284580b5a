import assert from "node:assert/strict";
import { controlAddress, testOnEachEngine } from "@sightline/test-kit/engines/control-engines.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { emptyAccount } from "@sightline/test-kit/sweeps.ts";
import { applyWorkspace } from "../../accounts/apply-workspace.ts";
import { openControl } from "../../control/control.ts";
import { claimSchedule, recordPlanned, schedulesDue } from "./schedule-store.ts";

testOnEachEngine("a changed workspace is planned immediately, by one node", async (t, engine) => {
  const clock = new HeldClock();
  const control = await openControl(await controlAddress(t, engine), clock);
  t.after(() => control.close());
  const accountId = await emptyAccount(control);
  const [due, ...others] = await schedulesDue(control, clock.now(), 10);
  assert.deepEqual(due, { accountId, nextAt: clock.now(), plannedTo: {} });
  assert.deepEqual(others, []);
  const claims = await Promise.all([1, 2].map(() => claimSchedule(control, due, clock.now() + 9)));
  const claimed = claims.find((each) => each !== null);
  assert.ok(claimed != null && claims.includes(null));
  assert.deepEqual(await schedulesDue(control, clock.now(), 10), []);
  const noted = { plannedTo: { "0 6 * * * UTC": 7 }, nextAt: clock.now() + 100 };
  assert.equal(await recordPlanned(control, due, noted), false);
  assert.equal(await recordPlanned(control, claimed, noted), true);
  clock.advance(100);
  assert.deepEqual(await schedulesDue(control, clock.now(), 10), [{ accountId, ...noted }]);
  const again = await claimSchedule(control, { accountId, ...noted }, clock.now() + 50);
  assert.ok(again !== null);
  clock.advance(1);
  const nothing = { entities: [], topics: [], prompts: [] };
  await applyWorkspace(
    control,
    accountId,
    { accountId, accountName: "Renamed", ...nothing },
    { now: clock.now() },
  );
  // The workspace changed meanwhile: the next check records what was planned.
  assert.equal(await recordPlanned(control, again, { plannedTo: {}, nextAt: 1e15 }), false);
  const [changed] = await schedulesDue(control, clock.now(), 10);
  assert.deepEqual(changed, { accountId, nextAt: clock.now(), plannedTo: noted.plannedTo });
  assert.equal(await recordPlanned(control, changed, { plannedTo: {}, nextAt: null }), true);
  clock.advance(1e9);
  assert.deepEqual(await schedulesDue(control, clock.now(), 10), []);
});
