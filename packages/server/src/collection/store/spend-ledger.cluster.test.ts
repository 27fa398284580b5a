import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import {
  type ControlEngineName,
  controlAddress,
  testOnEachEngine,
} from "../../../test/control-engines.ts";
import { HeldClock } from "../../../test/held-clock.ts";
import { emptyAccount, lease, newJobs, newSweep } from "../../../test/sweeps.ts";
import { openControl } from "../../control/control.ts";
import type { AccountCaps, LeasedJob } from "./collection-store.ts";
import { dayOf } from "./spend-ledger.ts";

const dayMs = 86_400_000;

async function opened(t: TestContext, engine: ControlEngineName) {
  const clock = new HeldClock();
  const control = await openControl(await controlAddress(t, engine), clock);
  t.after(() => control.close());
  const accountId = await emptyAccount(control);
  const leaseOne = async (): Promise<LeasedJob> => {
    const [job] = await lease(control, clock.now());
    assert.ok(job !== undefined, "a job is due");
    return job;
  };
  return { clock, control, accountId, today: dayOf(clock.now()), leaseOne };
}

testOnEachEngine(
  "what was cut off counts in full for an hour, then as what it is expected to have cost",
  async (t, engine) => {
    const { clock, control, accountId, today, leaseOne } = await opened(t, engine);
    const sweep = newSweep(clock.now(), newJobs(4));
    await control.addSweep(accountId, sweep);
    const caps: AccountCaps = { all: { calls: null, micros: 25 }, byProvider: {} };
    const cost = { usedMicros: 0, reserveMicros: 20, expectedMicros: 3 };
    const cutOff = { state: "failed", reason: "cut off", spentMicros: null } as const;
    const heldUntil = async () =>
      (await control.sweep(accountId, sweep.id))?.parts[0]?.heldUntil ?? 0;
    const one = await leaseOne();
    assert.equal(await control.noteSending(one, caps, cost), "noted");
    await control.noteOutcome(one, cutOff);
    assert.equal(await control.noteSending(await leaseOne(), caps, cost), "cap");
    const until = await heldUntil();
    assert.ok(until >= clock.now() + 3_600_000 && until <= clock.now() + 3_660_000, `${until}`);
    assert.deepEqual(await lease(control, clock.now()), []);
    clock.advance(until - clock.now());
    const two = await leaseOne();
    assert.equal(await control.noteSending(two, caps, cost), "noted");
    await control.noteOutcome(two, { state: "done", spentMicros: 19, assumedMicros: 19 });
    assert.deepEqual(await control.spend(accountId, today, today + 1), [
      {
        ...{ day: today, provider: "OPENAI", vendor: "openai", calls: 2 },
        ...{ spentMicros: 19, assumedMicros: 19, reservedMicros: 0 },
        ...{ unsettledMicros: 20, expectedMicros: 3 },
      },
    ]);
    // 19 and 3 leave no room for 20, and will not before tomorrow.
    assert.equal(await control.noteSending(await leaseOne(), caps, cost), "cap");
    assert.equal(await heldUntil(), (today + 1) * dayMs);
  },
);

testOnEachEngine(
  "questions that wait to be continued reserve what their replies cost, and stop nobody",
  async (t, engine) => {
    const { clock, control, accountId, today, leaseOne } = await opened(t, engine);
    await control.addSweep(accountId, newSweep(clock.now(), newJobs(2)));
    const caps: AccountCaps = { all: { calls: null, micros: 25 }, byProvider: {} };
    const first = { usedMicros: 0, reserveMicros: 10, expectedMicros: 1 };
    const continued = { usedMicros: 2, reserveMicros: 18, expectedMicros: 1 };
    const jobs = [await leaseOne(), await leaseOne()] as const;
    for (const job of jobs) assert.equal(await control.noteSending(job, caps, first), "noted");
    const reserved = async () => (await control.spend(accountId, today, today + 1))[0];
    assert.equal(await control.noteSending(jobs[0], caps, continued), "cap");
    assert.equal((await reserved())?.reservedMicros, 12);
    assert.equal(await control.noteSending(jobs[1], caps, continued), "noted");
    assert.equal((await reserved())?.reservedMicros, 22);
    await control.noteOutcome(jobs[1], { state: "done", spentMicros: 5 });
    clock.advance(2_000);
    assert.equal(await control.noteSending(await leaseOne(), caps, continued), "noted");
    assert.equal((await reserved())?.reservedMicros, 20);
  },
);
