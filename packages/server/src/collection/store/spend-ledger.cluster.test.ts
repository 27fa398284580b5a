import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import {
  type ControlEngineName,
  controlAddress,
  testOnEachEngine,
} from "@sightline/test-kit/engines/control-engines.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { emptyAccount, lease, newJobs, newSweep } from "@sightline/test-kit/sweeps.ts";
import { openControl } from "../../control/control.ts";
import type { AccountCaps, LeasedJob } from "./collection-store.ts";
import { recordOutcome, reserveRequest } from "./job-progress.ts";
import { dayOf, spendOf } from "./spend-ledger.ts";
import { sweepById } from "./sweep-reads.ts";
import { addSweep } from "./sweep-store.ts";

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
  "an interrupted call counts in full for an hour, then with its expected cost",
  async (t, engine) => {
    const { clock, control, accountId, today, leaseOne } = await opened(t, engine);
    const sweep = newSweep(clock.now(), newJobs(4));
    await addSweep(control, accountId, sweep, clock.now());
    const caps: AccountCaps = { all: { calls: null, micros: 25 }, byProvider: {} };
    const cost = { usedMicros: 0, reserveMicros: 20, expectedMicros: 3 };
    const cutOff = { state: "failed", reason: "cut off", spentMicros: null } as const;
    const heldUntil = async () =>
      (await sweepById(control, accountId, sweep.id, clock.now()))?.parts[0]?.heldUntil ?? 0;
    const one = await leaseOne();
    assert.equal(await reserveRequest(control, one, { caps, cost, now: clock.now() }), "reserved");
    await recordOutcome(control, one, cutOff, clock.now());
    assert.equal(
      await reserveRequest(control, await leaseOne(), { caps, cost, now: clock.now() }),
      "cap",
    );
    const until = await heldUntil();
    assert.ok(until >= clock.now() + 3_600_000 && until <= clock.now() + 3_660_000, `${until}`);
    assert.deepEqual(await lease(control, clock.now()), []);
    clock.advance(until - clock.now());
    const two = await leaseOne();
    assert.equal(await reserveRequest(control, two, { caps, cost, now: clock.now() }), "reserved");
    await recordOutcome(
      control,
      two,
      { state: "done", spentMicros: 19, assumedMicros: 19 },
      clock.now(),
    );
    assert.deepEqual(await spendOf(control, accountId, today, today + 1), [
      {
        day: today,
        provider: "OPENAI",
        vendor: "openai",
        calls: 2,
        spentMicros: 19,
        assumedMicros: 19,
        reservedMicros: 0,
        unsettledMicros: 20,
        expectedMicros: 3,
      },
    ]);
    // 19 and 3 leave less than 20, and will until tomorrow.
    assert.equal(
      await reserveRequest(control, await leaseOne(), { caps, cost, now: clock.now() }),
      "cap",
    );
    assert.equal(await heldUntil(), (today + 1) * dayMs);
  },
);

testOnEachEngine(
  "questions that wait to be continued reserve only the cost of their replies",
  async (t, engine) => {
    const { clock, control, accountId, today, leaseOne } = await opened(t, engine);
    await addSweep(control, accountId, newSweep(clock.now(), newJobs(2)), clock.now());
    const caps: AccountCaps = { all: { calls: null, micros: 25 }, byProvider: {} };
    const first = { usedMicros: 0, reserveMicros: 10, expectedMicros: 1 };
    const continued = { usedMicros: 2, reserveMicros: 18, expectedMicros: 1 };
    const jobs = [await leaseOne(), await leaseOne()] as const;
    for (const job of jobs)
      assert.equal(
        await reserveRequest(control, job, { caps, cost: first, now: clock.now() }),
        "reserved",
      );
    const reserved = async () => (await spendOf(control, accountId, today, today + 1))[0];
    assert.equal(
      await reserveRequest(control, jobs[0], { caps, cost: continued, now: clock.now() }),
      "cap",
    );
    assert.equal((await reserved())?.reservedMicros, 12);
    assert.equal(
      await reserveRequest(control, jobs[1], { caps, cost: continued, now: clock.now() }),
      "reserved",
    );
    assert.equal((await reserved())?.reservedMicros, 22);
    await recordOutcome(control, jobs[1], { state: "done", spentMicros: 5 }, clock.now());
    clock.advance(2_000);
    assert.equal(
      await reserveRequest(control, await leaseOne(), { caps, cost: continued, now: clock.now() }),
      "reserved",
    );
    assert.equal((await reserved())?.reservedMicros, 20);
  },
);
