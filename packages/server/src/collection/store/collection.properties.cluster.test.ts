import assert from "node:assert/strict";
import { CollectionModel, farMs } from "@sightline/test-kit/contracts/collection-model.ts";
import { controlAddress, testOnEachEngine } from "@sightline/test-kit/engines/control-engines.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { oracleRuns } from "@sightline/test-kit/oracle/runs.ts";
import { emptyAccount, newJobs, newSweep, testVendors } from "@sightline/test-kit/sweeps.ts";
import fc from "fast-check";
import { deleteAccount } from "../../accounts/account-deletions.ts";
import { openControl } from "../../control/control.ts";
import type { ControlEngine } from "../../control/control-engine.ts";
import type { AccountCaps, JobOutcome, LeasedJob } from "./collection-store.ts";
import {
  recordOutcome,
  recordReply,
  releaseJob,
  renewLease,
  reserveRequest,
} from "./job-progress.ts";
import { leaseJobs } from "./lease-jobs.ts";
import { dayOf, spendOf } from "./spend-ledger.ts";
import { sweepById } from "./sweep-reads.ts";
import { addSweep } from "./sweep-store.ts";

const workers = 3;
const leaseMs = 60_000;

const worker = fc.nat(workers - 1);
/** An index into all leases that a worker ever had, lost ones included. */
const pick = fc.nat(100);
const spent = fc.integer({ min: 0, max: 12 });
const outcome: fc.Arbitrary<JobOutcome> = fc.oneof(
  fc.record({ state: fc.constant("done" as const), spentMicros: spent }),
  fc.record({
    state: fc.constant("failed" as const),
    reason: fc.constantFrom("a", "b"),
    spentMicros: fc.option(spent),
  }),
  fc.record({
    state: fc.constant("queued" as const),
    reason: fc.constant("HTTP 503"),
    nextAt: fc.integer({ min: 0, max: 5_000 }),
    spentMicros: spent,
    kept: fc.nat(1),
  }),
);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ lease: fc.integer({ min: 1, max: 4 }), worker }) },
  { weight: 5, arbitrary: fc.record({ send: pick, worker }) },
  { weight: 2, arbitrary: fc.record({ reply: pick, worker, isTask: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ end: pick, worker, outcome }) },
  { weight: 1, arbitrary: fc.record({ renew: pick, worker }) },
  { weight: 1, arbitrary: fc.record({ release: pick, worker }) },
  { weight: 1, arbitrary: fc.record({ advance: fc.constantFrom(1, 1_000, 5_000, leaseMs) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const cap = fc.record({
  calls: fc.option(fc.integer({ min: 0, max: 20 })),
  micros: fc.option(fc.integer({ min: 0, max: 120 })),
});

class Run {
  readonly #controls: readonly ControlEngine[];
  readonly #clock: HeldClock;
  readonly #model: CollectionModel;
  readonly #caps: AccountCaps;
  readonly #leases: LeasedJob[][] = Array.from({ length: workers }, () => []);

  constructor(
    controls: readonly ControlEngine[],
    clock: HeldClock,
    { model, caps }: { readonly model: CollectionModel; readonly caps: AccountCaps },
  ) {
    this.#controls = controls;
    this.#clock = clock;
    this.#model = model;
    this.#caps = caps;
  }

  async take(step: Step): Promise<void> {
    if ("advance" in step) return this.#clock.advance(step.advance);
    const control = this.#controls[step.worker % this.#controls.length];
    const leases = this.#leases[step.worker];
    assert.ok(control !== undefined && leases !== undefined);
    const now = this.#clock.now();
    if ("lease" in step) {
      const options = { untilMs: now + leaseMs, jobsMax: step.lease };
      const found = await leaseJobs(control, testVendors, { now: this.#clock.now(), ...options });
      this.#model.leased(found, { ...options, now });
      leases.push(...found);
      return;
    }
    const chosen = "send" in step ? step.send : "reply" in step ? step.reply : null;
    const other = "end" in step ? step.end : "renew" in step ? step.renew : null;
    const index = chosen ?? other ?? ("release" in step ? step.release : 0);
    const job = leases[index % Math.max(1, leases.length)];
    if (job !== undefined) await this.#write(control, job, { step, now });
  }

  async #write(
    control: ControlEngine,
    job: LeasedJob,
    { step, now }: { readonly step: Step; readonly now: number },
  ): Promise<void> {
    if ("send" in step) {
      const expected = this.#model.sending(job, now);
      assert.equal(
        await reserveRequest(control, job, { caps: this.#caps, now: this.#clock.now() }),
        expected,
      );
      return;
    }
    const held = this.#model.held(job);
    const isHeld = held !== null;
    if ("reply" in step) {
      const state = step.isTask ? "submitted" : "leased";
      assert.equal(await recordReply(control, job, state), isHeld);
      if (isHeld) Object.assign(held, { state, replied: held.sent });
    } else if ("renew" in step) {
      assert.equal(await renewLease(control, job, now + leaseMs), isHeld);
      if (isHeld) held.dueAt = now + leaseMs;
    } else if ("release" in step) {
      assert.equal(await releaseJob(control, job, now + 500), isHeld);
      if (isHeld) this.#model.putBack(held, now + 500);
    } else if ("end" in step) {
      const { outcome } = step;
      const noted =
        outcome.state === "queued" ? { ...outcome, nextAt: now + outcome.nextAt } : outcome;
      assert.equal(await recordOutcome(control, job, noted, this.#clock.now()), isHeld);
      if (!isHeld) return;
      this.#model.settle(held, noted.spentMicros);
      held.state = noted.state;
      if (noted.state !== "queued") return;
      const { kept, nextAt: dueAt } = noted;
      Object.assign(held, { dueAt, sent: kept, replied: kept, attempts: held.attempts + 1 });
    }
  }
}

testOnEachEngine(
  "whatever workers do, jobs and the ledger agree with the model",
  async (t, engine) => {
    const clock = new HeldClock();
    const address = await controlAddress(t, engine);
    const controls = [
      await openControl(address, clock),
      await openControl(address, clock),
    ] as const;
    t.after(() => Promise.all(controls.map((control) => control.close())));
    const [control] = controls;
    const { questions: numRuns, seed } = oracleRuns(150);
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 40, maxLength: 80 }),
        cap,
        async (steps, all) => {
          const accountId = await emptyAccount(control);
          const start = clock.now();
          const jobs = newJobs(6).map((job, index) => ({ ...job, reserveMicros: 5 * index }));
          const sweep = { ...newSweep(start, jobs), deadline: start + farMs };
          await addSweep(control, accountId, sweep, clock.now());
          const caps = { all, byProvider: {} };
          const model = new CollectionModel(jobs, caps, start);
          const run = new Run(controls, clock, { model, caps });
          for (const each of steps) await run.take(each);

          const part = (await sweepById(control, accountId, sweep.id, clock.now()))?.parts[0];
          assert.ok(part !== undefined);
          const { queued, underWay, done, failed, spentMicros } = part;
          const failures = failed.reduce((sum, { jobs: count }) => sum + count, 0);
          assert.deepEqual(
            { queued, underWay, done, failures, spentMicros },
            {
              queued: model.count("queued"),
              underWay: model.count("leased", "submitted"),
              done: model.count("done"),
              failures: model.count("failed"),
              spentMicros: model.sums().spentMicros,
            },
          );
          const [row] = await spendOf(control, accountId, dayOf(start), dayOf(start) + 1);
          const { calls, reservedMicros, unsettledMicros } = row ?? model.sums();
          assert.deepEqual(
            {
              calls,
              spentMicros: row?.spentMicros ?? spentMicros,
              reservedMicros,
              unsettledMicros,
            },
            model.sums(),
          );
          assert.ok(calls <= (all.calls ?? Infinity));
          assert.ok(await deleteAccount(control, accountId, clock.now()));
          // Each run within its own day: the model knows only one.
          clock.advance(86_400_000 - (clock.now() % 86_400_000));
        },
      ),
      { numRuns, seed },
    );
  },
);
