import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { LeasedJob } from "../../server/src/collection/store/collection-store.ts";
import { dayOf, spendOf } from "../../server/src/collection/store/spend-ledger.ts";
import { sweepById } from "../../server/src/collection/store/sweep-reads.ts";
import { openControl } from "../../server/src/control/control.ts";
import { type ControlEngineName, controlAddress } from "./engines/control-engines.ts";
import { HeldClock } from "./held-clock.ts";
import { emptyAccount, lease } from "./sweeps.ts";

/** Control with an account, and what tests of its sweeps read of it. */
export async function openedCollection(t: TestContext, engine: ControlEngineName) {
  const clock = new HeldClock();
  const control = await openControl(await controlAddress(t, engine), clock);
  t.after(() => control.close());
  const accountId = await emptyAccount(control);
  const today = dayOf(clock.now());
  const spentToday = async () => {
    const [row, ...others] = await spendOf(control, accountId, today, today + 1);
    assert.deepEqual(others, []);
    const { calls = 0, spentMicros = 0, reservedMicros = 0, unsettledMicros = 0 } = row ?? {};
    return { calls, spentMicros, reservedMicros, unsettledMicros };
  };
  const partOf = async (sweepId: string) =>
    (await sweepById(control, accountId, sweepId, clock.now()))?.parts[0];
  const leaseOne = async (): Promise<LeasedJob> => {
    const [job] = await lease(control, clock.now());
    assert.ok(job !== undefined, "a job is due");
    return job;
  };
  return { clock, control, accountId, today, spentToday, partOf, leaseOne };
}
