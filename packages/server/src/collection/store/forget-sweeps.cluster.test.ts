import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { testOnEachEngine } from "@sightline/test-kit/engines/control-engines.ts";
import { openedCollection } from "@sightline/test-kit/opened-collection.ts";
import { lease, newJobs, newSweep, noCaps } from "@sightline/test-kit/sweeps.ts";
import { deleteAccount } from "../../accounts/account-deletions.ts";
import { recordOutcome, reserveRequest } from "./job-progress.ts";
import { claimPart, failedSweeps, partsToPublish, recordPublished } from "./part-store.ts";
import { schedulesDue } from "./schedule-store.ts";
import { spendOf } from "./spend-ledger.ts";
import { sweepById, sweepsOf } from "./sweep-reads.ts";
import { addSweep, cancelSweep, forgetSweeps } from "./sweep-store.ts";

const dayMs = 86_400_000;

testOnEachEngine(
  "sweeps that failed in succession are counted, newest first",
  async (t, engine) => {
    const { clock, control, accountId, leaseOne } = await openedCollection(t, engine);
    const outcomes = ["done", "failed", "cancelled", "failed"] as const;
    for (const outcome of outcomes) {
      clock.advance(1_000);
      const sweep = newSweep(clock.now(), newJobs(1));
      await addSweep(control, accountId, sweep, clock.now());
      if (outcome === "cancelled") await cancelSweep(control, accountId, sweep.id, clock.now());
      else {
        const job = await leaseOne();
        await recordOutcome(
          control,
          job,
          { state: outcome, reason: "no", spentMicros: 0 },
          clock.now(),
        );
      }
      for (const part of await partsToPublish(control, clock.now(), 10)) {
        await recordPublished(control, part, clock.now());
      }
    }
    const [{ id } = { id: "" }] = await sweepsOf(control, accountId, 1, clock.now());
    const failed = (provider: "OPENAI" | "GEMINI", sweepId: string) =>
      failedSweeps(control, { accountId, sweepId, provider });
    assert.equal(await failed("OPENAI", randomUUID()), 2);
    assert.equal(await failed("OPENAI", id), 1, "without the latest");
    assert.equal(await failed("GEMINI", randomUUID()), 0);
  },
);

testOnEachEngine("old jobs and sweeps are forgotten, what they cost is not", async (t, engine) => {
  const { clock, control, accountId, today, leaseOne } = await openedCollection(t, engine);
  const sweep = newSweep(clock.now(), newJobs(2_500));
  await addSweep(control, accountId, sweep, clock.now());
  const job = await leaseOne();
  await reserveRequest(control, job, { caps: noCaps, now: clock.now() });
  await recordOutcome(control, job, { state: "done", spentMicros: 5 }, clock.now());
  const forgotten = async () => {
    let calls = 0;
    while (await forgetSweeps(control, clock.now())) calls++;
    return calls;
  };
  clock.advance(500 * dayMs);
  assert.equal(await forgotten(), 0, "it was not published");
  const [part] = await partsToPublish(control, clock.now(), 1);
  const now = clock.now();
  assert.ok(part !== undefined && (await claimPart(control, part, { now, untilMs: now + 1 })));
  await recordPublished(control, part, clock.now());
  const stands = await sweepById(control, accountId, sweep.id, clock.now());
  assert.equal(stands?.parts[0]?.jobs, 2_500);
  clock.advance(30 * dayMs - 1);
  assert.equal(await forgotten(), 0);
  const kept = newSweep(clock.now(), newJobs(1));
  await addSweep(control, accountId, kept, clock.now());
  clock.advance(1);
  assert.equal(await forgotten(), 2);
  assert.deepEqual(
    (await sweepsOf(control, accountId, 10, clock.now())).map(({ id }) => id),
    [kept.id],
  );
  assert.equal((await spendOf(control, accountId, today, today + 1))[0]?.spentMicros, 5);
});

testOnEachEngine("a deleted account's sweeps are gone", async (t, engine) => {
  const { clock, control, accountId, leaseOne } = await openedCollection(t, engine);
  await addSweep(control, accountId, newSweep(clock.now(), newJobs(3)), clock.now());
  const job = await leaseOne();
  await reserveRequest(control, job, { caps: noCaps, now: clock.now() });
  assert.equal(await deleteAccount(control, accountId, clock.now()), true);
  assert.equal(
    await recordOutcome(control, job, { state: "done", spentMicros: 1 }, clock.now()),
    false,
  );
  assert.deepEqual(await lease(control, clock.now()), []);
  assert.deepEqual(await partsToPublish(control, clock.now(), 10), []);
  assert.deepEqual(await schedulesDue(control, clock.now(), 10), []);
  assert.deepEqual(await spendOf(control, accountId, 0, 1e6), []);
  await assert.rejects(
    addSweep(control, accountId, newSweep(clock.now(), newJobs(1)), clock.now()),
  );
});
