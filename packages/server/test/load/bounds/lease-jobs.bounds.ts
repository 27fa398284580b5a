import assert from "node:assert/strict";
import { controlAddress, testOnEachEngine } from "@sightline/test-kit/engines/control-engines.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { emptyAccount, newJobs, newSweep, testVendors } from "@sightline/test-kit/sweeps.ts";
import { leaseJobs } from "../../../src/collection/store/lease-jobs.ts";
import { addSweep } from "../../../src/collection/store/sweep-store.ts";
import { openControl } from "../../../src/control/control.ts";

/** A worker leases some jobs every second, and does nothing else meanwhile. */
const leaseMsMax = 250;
const leases = 20;
const gemini = { provider: "GEMINI", vendor: "gemini" } as const;

testOnEachEngine(
  "20 of 100,000 jobs are leased within a quarter of a second",
  async (t, engine) => {
    const clock = new HeldClock();
    const control = await openControl(await controlAddress(t, engine), clock);
    t.after(() => control.close());
    for (let account = 0; account < 5; account++) {
      const jobs = [...newJobs(10_000), ...newJobs(10_000, gemini)];
      await addSweep(
        control,
        await emptyAccount(control),
        newSweep(clock.now(), jobs),
        clock.now(),
      );
    }
    let slowestMs = 0;
    for (let lease = 0; lease < leases; lease++) {
      const started = performance.now();
      const options = { untilMs: clock.now() + 60_000, jobsMax: 20 };
      assert.equal(
        (await leaseJobs(control, testVendors, { now: clock.now(), ...options })).length,
        20,
      );
      slowestMs = Math.max(slowestMs, performance.now() - started);
    }
    t.diagnostic(`the slowest of ${leases} leases took ${Math.round(slowestMs)} ms`);
    assert.ok(slowestMs <= leaseMsMax);
  },
);
