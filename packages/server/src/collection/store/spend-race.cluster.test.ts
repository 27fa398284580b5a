import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { controlAddress, testOnEachEngine } from "@sightline/test-kit/engines/control-engines.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import type { SpendRace } from "@sightline/test-kit/spend-race-process.ts";
import { emptyAccount, newJobs, newSweep } from "@sightline/test-kit/sweeps.ts";
import { deleteAccount } from "../../accounts/account-deletions.ts";
import { openControl } from "../../control/control.ts";
import type { AccountCaps } from "./collection-store.ts";
import { dayOf, spendOf } from "./spend-ledger.ts";
import { sweepById } from "./sweep-reads.ts";
import { addSweep } from "./sweep-store.ts";

/** Of each process: collection.properties explores the orders within one. */
const workersOf = [3, 2] as const;
const program = fileURLToPath(import.meta.resolve("@sightline/test-kit/spend-race-process.ts"));
const start = promisify(execFile);

const none = { calls: null, micros: null };
const gemini = { provider: "GEMINI", vendor: "gemini" } as const;
/** Of each provider. What matters happens where a cap is reached, however many come before. */
const queued = 60;
const races: readonly { readonly caps: AccountCaps; readonly jobs: number }[] = [
  {
    caps: { all: { calls: 41, micros: null }, byProvider: { OPENAI: { ...none, calls: 17 } } },
    jobs: 41,
  },
  // Each costs 4 and reserves 10: 41 fit, and the next one does not.
  { caps: { all: { calls: null, micros: 170 }, byProvider: {} }, jobs: 41 },
  { caps: { all: none, byProvider: { OPENAI: { ...none, micros: 90 } } }, jobs: queued + 21 },
];

testOnEachEngine(
  "five workers of two processes spend exactly what caps allow",
  async (t, engine) => {
    const clock = new HeldClock();
    const address = await controlAddress(t, engine);
    const control = await openControl(address, clock);
    t.after(() => control.close());
    for (const { caps, jobs } of races) {
      const accountId = await emptyAccount(control);
      const sweep = newSweep(clock.now(), [...newJobs(queued), ...newJobs(queued, gemini)]);
      await addSweep(control, accountId, sweep, clock.now());
      const race = { address, nowMs: clock.now(), caps, spentMicros: 4 };
      const ran = await Promise.all(
        workersOf.map((workers) => {
          const part: SpendRace = { ...race, workers };
          return start(process.execPath, [program, JSON.stringify(part)]);
        }),
      );
      const noted = ran.reduce((sum, { stdout }) => sum + Number(stdout), 0);
      const rows = await spendOf(control, accountId, dayOf(clock.now()), dayOf(clock.now()) + 1);
      const sum = (of: (row: (typeof rows)[number]) => number) =>
        rows.reduce((total, row) => total + of(row), 0);
      assert.deepEqual(
        [noted, sum((row) => row.calls), sum((row) => row.spentMicros)],
        [jobs, jobs, jobs * 4],
      );
      assert.equal(
        sum((row) => row.reservedMicros + row.unsettledMicros),
        0,
      );
      const openai = rows.find(({ provider }) => provider === "OPENAI");
      assert.ok((openai?.calls ?? 0) <= (caps.byProvider.OPENAI?.calls ?? queued));
      const parts = (await sweepById(control, accountId, sweep.id, clock.now()))?.parts ?? [];
      assert.equal(
        parts.reduce((total, { done }) => total + done, 0),
        jobs,
      );
      assert.ok(await deleteAccount(control, accountId, clock.now()));
    }
  },
);
