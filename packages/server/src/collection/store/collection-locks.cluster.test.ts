import assert from "node:assert/strict";
import { controlAddress, testOnEachEngine } from "@sightline/test-kit/engines/control-engines.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { emptyAccount, newJobs, newSweep, testVendors } from "@sightline/test-kit/sweeps.ts";
import { deleteAccount } from "../../accounts/account-deletions.ts";
import { applyWorkspace } from "../../accounts/apply-workspace.ts";
import { openControl } from "../../control/control.ts";
import type { ControlEngine } from "../../control/control-engine.ts";
import type { AccountCaps, LeasedJob } from "./collection-store.ts";
import { recordOutcome, recordReply, reserveRequest } from "./job-progress.ts";
import { leaseJobs } from "./lease-jobs.ts";
import { claimPart, jobsOfPart, partsToPublish, recordPublished } from "./part-store.ts";
import { spendOf } from "./spend-ledger.ts";
import { addSweep, cancelSweep } from "./sweep-store.ts";

const rounds = 12;
const caps: AccountCaps = { all: { calls: 400, micros: 3_000 }, byProvider: {} };
const nothing = { entities: [], topics: [], prompts: [] };

/** Leases jobs and ends each in a different way. */
async function work(control: ControlEngine, clock: HeldClock): Promise<void> {
  const untilMs = clock.now() + 5;
  const jobs = await leaseJobs(control, testVendors, { now: clock.now(), untilMs, jobsMax: 7 });
  await Promise.all(jobs.map((job, index) => askOne(control, job, { index, now: clock.now() })));
}

async function askOne(
  control: ControlEngine,
  job: LeasedJob,
  { index, now }: { readonly index: number; readonly now: number },
): Promise<void> {
  if ((await reserveRequest(control, job, { caps, now })) !== "reserved") return;
  await recordReply(control, job, "submitted");
  const again = {
    state: "queued",
    nextAt: 0,
    reason: "HTTP 503",
    spentMicros: 1,
    kept: 0,
  } as const;
  if (index % 3 === 0) await recordOutcome(control, job, again, now);
  if (index % 3 === 1) await recordOutcome(control, job, { state: "done", spentMicros: 3 }, now);
}

async function publish(control: ControlEngine, clock: HeldClock): Promise<void> {
  const now = clock.now();
  for (const part of await partsToPublish(control, now, 5)) {
    if ((await claimPart(control, part, { now, untilMs: now + 5 })) === null) continue;
    await jobsOfPart(control, part, null, 1_000);
    await recordPublished(control, part, now);
  }
}

testOnEachEngine("concurrent operations do not deadlock", async (t, engine) => {
  const clock = new HeldClock();
  const address = await controlAddress(t, engine);
  // Two in one thread: on SQLite the second would block the first, for which it waits.
  const opened = engine === "postgres" ? [1, 2] : [1];
  const controls = await Promise.all(opened.map(() => openControl(address, clock)));
  t.after(() => Promise.all(controls.map((control) => control.close())));
  const [one] = controls;
  assert.ok(one !== undefined);
  const kept = await emptyAccount(one);
  for (let round = 0; round < rounds; round++) {
    const gone = await emptyAccount(one);
    const sweeps = [kept, gone].map((accountId) => ({
      accountId,
      sweep: { ...newSweep(clock.now(), newJobs(60)), deadline: clock.now() + 4 },
    }));
    for (const { accountId, sweep } of sweeps) await addSweep(one, accountId, sweep, clock.now());
    await Promise.all(controls.flatMap((control) => [work(control, clock), work(control, clock)]));
    clock.advance(round % 2 === 0 ? 4 : 1);
    const jobs = newJobs(60, { provider: "GEMINI", vendor: "gemini" });
    await Promise.all(
      controls.flatMap((control) => [
        ...[work(control, clock), publish(control, clock), work(control, clock)],
        cancelSweep(control, kept, sweeps[0]?.sweep.id ?? "", clock.now()),
        addSweep(control, kept, newSweep(clock.now() + round, jobs), clock.now()),
        applyWorkspace(
          control,
          kept,
          { accountId: kept, accountName: `Round ${round}`, ...nothing },
          { now: clock.now() },
        ),
        deleteAccount(control, gone, clock.now()),
      ]),
    );
    clock.advance(10);
  }
  const [row, ...others] = await spendOf(one, kept, 0, 1e6);
  assert.ok(row !== undefined && others.length <= 1);
  assert.ok(row.calls + (others[0]?.calls ?? 0) <= 400);
});
