import assert from "node:assert/strict";
import type { AccountCaps } from "../../server/src/collection/store/collection-store.ts";
import {
  recordOutcome,
  recordReply,
  reserveRequest,
} from "../../server/src/collection/store/job-progress.ts";
import { leaseJobs } from "../../server/src/collection/store/lease-jobs.ts";
import { openControl } from "../../server/src/control/control.ts";
import type { ControlAddress } from "../../server/src/control/control-engine.ts";
import { HeldClock } from "./held-clock.ts";
import { testVendors } from "./sweeps.ts";

/** What a process of workers is told, as JSON in its only parameter. */
export interface SpendRace {
  readonly address: ControlAddress;
  readonly nowMs: number;
  /** On PostgreSQL each on a connection of its own, on SQLite in turns on one. */
  readonly workers: number;
  readonly caps: AccountCaps;
  /** What each job costs. */
  readonly spentMicros: number;
}

/** So often in succession nothing is due, and each time somewhat later. */
const emptyMax = 3;

const race = JSON.parse(process.argv[2] ?? "") as SpendRace;
const clock = new HeldClock(race.nowMs);
const control = await openControl(race.address, clock);

async function work({ caps, spentMicros }: SpendRace): Promise<number> {
  let noted = 0;
  for (let empty = 0; empty < emptyMax; ) {
    const options = { untilMs: clock.now() + 3_600_000, jobsMax: 3 };
    const jobs = await leaseJobs(control, testVendors, { now: clock.now(), ...options });
    empty = jobs.length === 0 ? empty + 1 : 0;
    if (jobs.length === 0) clock.advance(2_000);
    for (const job of jobs) {
      if ((await reserveRequest(control, job, { caps, now: clock.now() })) !== "reserved") continue;
      noted++;
      assert.ok(await recordReply(control, job, "leased"));
      assert.ok(await recordOutcome(control, job, { state: "done", spentMicros }, clock.now()));
    }
  }
  return noted;
}

const noted = await Promise.all(Array.from({ length: race.workers }, () => work(race)));
await control.close();
process.stdout.write(`${noted.reduce((sum, each) => sum + each, 0)}`);
