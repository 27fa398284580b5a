import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { testOnEachEngine } from "@sightline/test-kit/engines/control-engines.ts";
import { openedCollection } from "@sightline/test-kit/opened-collection.ts";
import { emptyAccount, lease, newJobs, newSweep, noCaps } from "@sightline/test-kit/sweeps.ts";
import { applyWorkspace } from "../../accounts/apply-workspace.ts";
import type { ControlEngine } from "../../control/control-engine.ts";
import type { AccountCaps, LeasedJob, ReadyPart } from "./collection-store.ts";
import {
  recordOutcome,
  recordReply,
  releaseJob,
  renewLease,
  reserveRequest,
} from "./job-progress.ts";
import { unaskedReasons } from "./job-rows.ts";
import {
  acceptPart,
  claimPart,
  earlierReadings,
  holdPart,
  jobsOfPart,
  partsToPublish,
  recordPublished,
} from "./part-store.ts";
import { spendOf } from "./spend-ledger.ts";
import { sweepById, sweepsOf } from "./sweep-reads.ts";
import { addSweep, cancelSweep, failQueued } from "./sweep-store.ts";

const reserve = (control: ControlEngine, job: LeasedJob, now: number) =>
  reserveRequest(control, job, { caps: noCaps, now });

const dayMs = 86_400_000;

testOnEachEngine(
  "a job is asked, replied to and done, and its part published",
  async (t, engine) => {
    const { clock, control, accountId, spentToday, leaseOne } = await openedCollection(t, engine);
    const properties = { region: "DE", sample: 3, model: "gpt-5" };
    const [job] = newJobs(1, { ...properties, place: { state: null, city: "Berlin" } });
    assert.ok(job !== undefined);
    const sweep = newSweep(clock.now(), [job]);
    await addSweep(control, accountId, sweep, clock.now());
    const leased = await leaseOne();
    assert.deepEqual(leased, {
      ...job,
      accountId,
      sweepId: sweep.id,
      slot: sweep.slot,
      deadline: sweep.deadline,
      fence: 1,
      leaseUntil: clock.now() + 60_000,
      state: "leased",
      attempts: 0,
      sent: 0,
      replied: 0,
      spentMicros: 0,
    });
    assert.deepEqual(await lease(control, clock.now(), 10), [], "it is this worker's alone");
    assert.equal(await reserve(control, leased, clock.now()), "reserved");
    const nothing = { calls: 0, spentMicros: 0, reservedMicros: 0, unsettledMicros: 0 };
    assert.deepEqual(await spentToday(), { ...nothing, calls: 1, reservedMicros: 10 });
    assert.equal(await recordReply(control, leased, "leased"), true);
    assert.equal(await reserve(control, leased, clock.now()), "reserved");
    // The cost of an attempt is reserved once, whatever it sends.
    assert.deepEqual(await spentToday(), { ...nothing, calls: 2, reservedMicros: 10 });
    assert.deepEqual(await partsToPublish(control, clock.now(), 10), []);
    const outcome = { state: "done", spentMicros: 7 } as const;
    assert.equal(await recordOutcome(control, leased, outcome, clock.now()), true);
    assert.deepEqual(await spentToday(), { ...nothing, calls: 2, spentMicros: 7 });
    assert.equal(await recordOutcome(control, leased, outcome, clock.now()), false);

    const [part, ...others] = await partsToPublish(control, clock.now(), 10);
    const { id: sweepId, slot, deadline } = sweep;
    const [provider, surface, vendor, claimedUntil] = ["OPENAI", "api", "openai", 0];
    const key = { accountId, sweepId, slot, provider, surface, vendor, deadline, claimedUntil };
    assert.deepEqual(part, key);
    assert.deepEqual(others, []);
    const untilMs = clock.now() + 60_000;
    const claims = [1, 2].map(() => claimPart(control, part, { now: clock.now(), untilMs }));
    const claimed = { ...part, claimedUntil: untilMs };
    assert.deepEqual((await Promise.all(claims)).toSorted(), [claimed, null]);
    assert.deepEqual(await partsToPublish(control, clock.now(), 10), []);
    const ended = { state: "done", reason: null, spentMicros: 7, endedAt: clock.now() } as const;
    assert.deepEqual(await jobsOfPart(control, part, null, 10), [{ ...job, ...ended }]);
    assert.deepEqual(await jobsOfPart(control, part, job.id, 10), []);
    const counts = { jobs: 1, queued: 0, underWay: 0, done: 1, failed: [], spentMicros: 7 };
    const of = { provider: "OPENAI", surface: "api", vendor: "openai" };
    const publishedAt = clock.now();
    await recordPublished(control, part, clock.now());
    clock.advance(1);
    await recordPublished(control, part, clock.now());
    const { jobs: _, ...declared } = sweep;
    const record = {
      ...declared,
      accountId,
      createdAt: sweep.slot,
      cancelledAt: null,
      parts: [{ ...of, ...counts, warnings: [], suspicious: [], heldUntil: null, publishedAt }],
    };
    assert.deepEqual(await sweepById(control, accountId, sweep.id, clock.now()), record);
    assert.deepEqual(await sweepsOf(control, accountId, 10, clock.now()), [record]);
  },
);

testOnEachEngine("a sweep is its account's alone", async (t, engine) => {
  const { clock, control, accountId } = await openedCollection(t, engine);
  const sweep = newSweep(clock.now(), newJobs(1));
  await addSweep(control, accountId, sweep, clock.now());
  const foreignId = await emptyAccount(control);
  assert.equal(await sweepById(control, foreignId, sweep.id, clock.now()), null);
  assert.deepEqual(await sweepsOf(control, foreignId, 10, clock.now()), []);
  assert.equal(await cancelSweep(control, foreignId, sweep.id, clock.now()), false);
  assert.deepEqual(await spendOf(control, foreignId, 0, 1e6), []);
  assert.notEqual(await sweepById(control, accountId, sweep.id, clock.now()), null);
});

testOnEachEngine("adding a sweep again adds nothing, also with no region", async (t, engine) => {
  const { clock, control, accountId, partOf } = await openedCollection(t, engine);
  const jobs = newJobs(1_700);
  const sweep = { ...newSweep(clock.now(), jobs), source: "now" } as const;
  await Promise.all([1, 2].map(() => addSweep(control, accountId, sweep, clock.now())));
  const log = control.database.selectFrom("audit").select("subject");
  const started = await log.where("action", "=", "collection.started").execute();
  assert.deepEqual(started, [{ subject: sweep.id }]);
  // The same questions under other ids, as of another cadence with the same slot.
  const twins = jobs.map((job) => ({ ...job, id: randomUUID() }));
  const twin = newSweep(clock.now(), [...twins, ...newJobs(1)]);
  await addSweep(control, accountId, twin, clock.now());
  assert.equal((await partOf(sweep.id))?.jobs, 1_700);
  assert.equal((await partOf(twin.id))?.jobs, 1);
  const mixed = [...newJobs(1), ...newJobs(1, { vendor: "gemini" })];
  await assert.rejects(
    addSweep(control, accountId, newSweep(1, mixed), clock.now()),
    /two vendors/,
  );
  assert.equal((await lease(control, clock.now(), 5_000)).length, 1_701);
});

testOnEachEngine(
  "a lost lease is another worker's, and the first writes nothing",
  async (t, engine) => {
    const { clock, control, accountId, spentToday, leaseOne, partOf } = await openedCollection(
      t,
      engine,
    );
    const sweep = newSweep(clock.now(), newJobs(1));
    await addSweep(control, accountId, sweep, clock.now());
    const first = await leaseOne();
    assert.equal(await reserve(control, first, clock.now()), "reserved");
    assert.equal(await renewLease(control, first, clock.now() + 90_000), true);
    clock.advance(89_999);
    assert.deepEqual(await lease(control, clock.now()), []);
    clock.advance(1);
    const second = await leaseOne();
    assert.deepEqual([second.fence, second.sent, second.replied], [2, 1, 0]);
    assert.equal(await renewLease(control, first, clock.now() + 90_000), false);
    assert.equal(await recordReply(control, first, "submitted"), false);
    assert.equal(await reserve(control, first, clock.now()), "lost");
    assert.equal(await releaseJob(control, first, clock.now()), false);
    assert.equal(
      await recordOutcome(control, first, { state: "done", spentMicros: 1 }, clock.now()),
      false,
    );
    const cutOff = { state: "failed", reason: "cut off while it was asked" } as const;
    assert.equal(
      await recordOutcome(control, second, { ...cutOff, spentMicros: null }, clock.now()),
      true,
    );
    const spent = { calls: 1, spentMicros: 0, reservedMicros: 0, unsettledMicros: 10 };
    assert.deepEqual(await spentToday(), spent);
    assert.deepEqual((await partOf(sweep.id))?.failed, [{ reason: cutOff.reason, jobs: 1 }]);
  },
);

testOnEachEngine(
  "a retry waits, counts its calls and continues from the stored replies",
  async (t, engine) => {
    const { clock, control, accountId, spentToday, leaseOne } = await openedCollection(t, engine);
    await addSweep(control, accountId, newSweep(clock.now(), newJobs(1)), clock.now());
    const first = await leaseOne();
    await reserve(control, first, clock.now());
    await recordReply(control, first, "leased");
    await reserve(control, first, clock.now());
    const again = { state: "queued", nextAt: clock.now() + 5_000, reason: "HTTP 503" } as const;
    assert.equal(
      await recordOutcome(control, first, { ...again, spentMicros: 3, kept: 1 }, clock.now()),
      true,
    );
    const settled = { calls: 2, spentMicros: 3, reservedMicros: 0, unsettledMicros: 0 };
    assert.deepEqual(await spentToday(), settled);
    clock.advance(4_999);
    assert.deepEqual(await lease(control, clock.now()), []);
    clock.advance(1);
    const second = await leaseOne();
    const { attempts, sent, replied, spentMicros } = second;
    assert.deepEqual(
      { attempts, sent, replied, spentMicros },
      {
        attempts: 1,
        sent: 1,
        replied: 1,
        spentMicros: 3,
      },
    );
    assert.equal(await reserve(control, second, clock.now()), "reserved");
    assert.equal(
      await recordOutcome(control, second, { state: "done", spentMicros: 4 }, clock.now()),
      true,
    );
    const both = { calls: 3, spentMicros: 7, reservedMicros: 0, unsettledMicros: 0 };
    assert.deepEqual(await spentToday(), both);
  },
);

testOnEachEngine("a released job keeps its task, its reserve and its calls", async (t, engine) => {
  const { clock, control, accountId, spentToday, leaseOne } = await openedCollection(t, engine);
  await addSweep(control, accountId, newSweep(clock.now(), newJobs(1)), clock.now());
  const unasked = await leaseOne();
  assert.equal(await releaseJob(control, unasked, clock.now()), true);
  const job = await leaseOne();
  await reserve(control, job, clock.now());
  await recordReply(control, job, "submitted");
  assert.equal(await releaseJob(control, job, clock.now() + 1_000), true);
  assert.equal(await recordReply(control, job, "submitted"), false);
  assert.deepEqual(await lease(control, clock.now()), []);
  clock.advance(1_000);
  const { state, sent, replied, fence } = await leaseOne();
  assert.deepEqual(
    { state, sent, replied, fence },
    {
      state: "submitted",
      sent: 1,
      replied: 1,
      fence: 5,
    },
  );
  assert.equal((await spentToday()).reservedMicros, 10);
});

testOnEachEngine("a cap of calls has the rest wait for the next day", async (t, engine) => {
  const { clock, control, accountId, today, leaseOne } = await openedCollection(t, engine);
  const caps: AccountCaps = {
    all: { calls: 3, micros: null },
    byProvider: { GEMINI: { calls: 1, micros: null } },
  };
  const gemini = { provider: "GEMINI", vendor: "gemini" } as const;
  await addSweep(
    control,
    accountId,
    newSweep(clock.now(), [...newJobs(4), ...newJobs(4, gemini)]),
    clock.now(),
  );
  const next = async () => {
    const job = await leaseOne();
    return `${job.provider} ${await reserveRequest(control, job, { caps, now: clock.now() })}`;
  };
  assert.deepEqual(
    [await next(), await next(), await next()],
    [...["GEMINI reserved", "OPENAI reserved", "GEMINI cap"]],
  );
  assert.deepEqual([await next(), await next()], ["OPENAI reserved", "OPENAI cap"]);
  const calls = await spendOf(control, accountId, today, today + 1);
  assert.equal(
    calls.reduce((sum, row) => sum + row.calls, 0),
    3,
  );
  assert.deepEqual(await lease(control, clock.now(), 10), [], "nobody of the account is asked");
  clock.advance(dayMs / 2 - 1);
  assert.deepEqual(await lease(control, clock.now(), 10), []);
  clock.advance(1);
  // Including the three that were sent: their leases have ended.
  assert.equal((await lease(control, clock.now(), 10)).length, 8);
});

testOnEachEngine("a change of the workspace lets what a cap stopped go on", async (t, engine) => {
  const { clock, control, accountId, leaseOne } = await openedCollection(t, engine);
  await addSweep(control, accountId, newSweep(clock.now(), newJobs(2)), clock.now());
  const none: AccountCaps = { all: { calls: 0, micros: null }, byProvider: {} };
  assert.equal(
    await reserveRequest(control, await leaseOne(), { caps: none, now: clock.now() }),
    "cap",
  );
  assert.deepEqual(await lease(control, clock.now()), []);
  const nothing = { entities: [], topics: [], prompts: [] };
  await applyWorkspace(
    control,
    accountId,
    { accountId, accountName: "Renamed", ...nothing },
    { now: clock.now() },
  );
  assert.equal((await lease(control, clock.now(), 10)).length, 2);
});

testOnEachEngine(
  "a cap of money waits for what others reserve, then for a day",
  async (t, engine) => {
    const { clock, control, accountId, today, ...read } = await openedCollection(t, engine);
    const { spentToday, leaseOne, partOf } = read;
    const sweep = newSweep(clock.now(), newJobs(5));
    await addSweep(control, accountId, sweep, clock.now());
    const heldUntil = async () => (await partOf(sweep.id))?.heldUntil;
    const caps: AccountCaps = { all: { calls: null, micros: 25 }, byProvider: {} };
    const [one, two] = [await leaseOne(), await leaseOne()];
    assert.equal(await reserveRequest(control, one, { caps, now: clock.now() }), "reserved");
    assert.equal(await reserveRequest(control, two, { caps, now: clock.now() }), "reserved");
    assert.equal(
      await reserveRequest(control, await leaseOne(), { caps, now: clock.now() }),
      "cap",
    );
    assert.equal(await heldUntil(), null, "others settle soon");
    await recordOutcome(control, one, { state: "done", spentMicros: 4 }, clock.now());
    const cutOff = { state: "failed", reason: "cut off", spentMicros: null } as const;
    await recordOutcome(control, two, cutOff, clock.now());
    clock.advance(2_000);
    const [three, four] = await lease(control, clock.now(), 2);
    assert.ok(three !== undefined && four !== undefined, "the day has room for one more");
    assert.equal(await reserveRequest(control, three, { caps, now: clock.now() }), "reserved");
    await recordOutcome(control, three, { state: "done", spentMicros: 2 }, clock.now());
    assert.equal(await reserveRequest(control, four, { caps, now: clock.now() }), "cap");
    const spent = { calls: 3, spentMicros: 6, reservedMicros: 0, unsettledMicros: 10 };
    assert.deepEqual(await spentToday(), spent);
    clock.advance(10_000);
    assert.deepEqual(await lease(control, clock.now()), []);
    assert.equal(await heldUntil(), (today + 1) * dayMs);
    const other = await emptyAccount(control);
    await addSweep(
      control,
      other,
      { ...newSweep(clock.now(), newJobs(1)), id: sweep.id },
      clock.now(),
    );
    assert.equal(
      (await sweepById(control, other, sweep.id, clock.now()))?.parts[0]?.heldUntil,
      null,
      "of another",
    );
    await cancelSweep(control, accountId, sweep.id, clock.now());
    assert.equal(await heldUntil(), null, "nothing is left to ask");
  },
);

testOnEachEngine(
  "a capped job whose deadline comes before the next day fails",
  async (t, engine) => {
    const { clock, control, accountId, leaseOne, partOf } = await openedCollection(t, engine);
    const sweep = { ...newSweep(clock.now(), newJobs(1)), deadline: clock.now() + dayMs / 2 };
    await addSweep(control, accountId, sweep, clock.now());
    const none: AccountCaps = { all: { calls: 0, micros: null }, byProvider: {} };
    assert.equal(
      await reserveRequest(control, await leaseOne(), { caps: none, now: clock.now() }),
      "cap",
    );
    assert.deepEqual((await partOf(sweep.id))?.failed, [{ reason: unaskedReasons.cap, jobs: 1 }]);
  },
);

testOnEachEngine("jobs that are open at the deadline fail, and stay failed", async (t, engine) => {
  const { clock, control, accountId, spentToday, leaseOne, partOf } = await openedCollection(
    t,
    engine,
  );
  const sweep = newSweep(clock.now(), newJobs(3));
  await addSweep(control, accountId, sweep, clock.now());
  const [done, cut] = [await leaseOne(), await leaseOne()];
  for (const job of [done, cut]) await reserve(control, job, clock.now());
  await recordOutcome(control, done, { state: "done", spentMicros: 2 }, clock.now());
  clock.advance(dayMs);
  assert.deepEqual(await lease(control, clock.now()), []);
  const [part] = await partsToPublish(control, clock.now(), 10);
  assert.ok(part !== undefined);
  const now = clock.now();
  assert.ok(await claimPart(control, part, { now, untilMs: now + 1 }));
  assert.equal(
    await recordOutcome(control, cut, { state: "done", spentMicros: 2 }, clock.now()),
    false,
  );
  const ended = await jobsOfPart(control, part, null, 10);
  assert.deepEqual(ended.map(({ reason }) => reason).toSorted(), [
    ...[null, unaskedReasons.deadline, unaskedReasons.deadline],
  ]);
  const spent = { calls: 2, spentMicros: 2, reservedMicros: 0, unsettledMicros: 10 };
  assert.deepEqual(await spentToday(), spent);
  await recordPublished(control, part, clock.now());
  assert.equal((await partOf(sweep.id))?.done, 1);
});

testOnEachEngine(
  "a part that is held waits to be accepted, and is the new normal",
  async (t, engine) => {
    const { clock, control, accountId, leaseOne, partOf } = await openedCollection(t, engine);
    const reading = (citing: number) => ({
      warnings: [{ reason: "r", answers: 2 }],
      models: [{ model: "m", answers: 40, citing, priced: 40, length: 4_000 }],
    });
    const claimed = async (part: ReadyPart) => {
      const now = clock.now();
      const own = await claimPart(control, part, { now, untilMs: now + 60_000 });
      assert.ok(own !== null);
      return own;
    };
    const ended = async () => {
      clock.advance(1_000);
      const sweep = newSweep(clock.now(), newJobs(1));
      await addSweep(control, accountId, sweep, clock.now());
      const job = await leaseOne();
      await reserve(control, job, clock.now());
      await recordOutcome(control, job, { state: "done", spentMicros: 1 }, clock.now());
      const [part] = await partsToPublish(control, clock.now(), 1);
      assert.ok(part !== undefined && part.sweepId === sweep.id);
      return claimed(part);
    };
    for (const citing of [40, 39]) {
      await recordPublished(control, await ended(), clock.now(), reading(citing));
    }
    const held = await ended();
    const earlier = async (part = held) => {
      const { isAccepted, before } = await earlierReadings(control, part, 5);
      return [isAccepted, ...before.flat().map(({ citing }) => citing)];
    };
    assert.deepEqual(await earlier(), [false, 39, 40]);
    assert.equal(await acceptPart(control, held, clock.now()), false, "it is not held");
    const untilMs = clock.now() + 3_600_000;
    const why = { reading: reading(0), suspicious: ["why"] };
    const hold = (part: ReadyPart) => holdPart(control, part, { ...why, untilMs });
    const lost = { ...held, claimedUntil: held.claimedUntil - 1 };
    assert.equal(await hold(lost), false, "the claim is another worker's");
    assert.equal(await hold(held), true);
    const shown = async () => {
      const part = await partOf(held.sweepId);
      return [part?.done, part?.publishedAt, part?.suspicious, part?.warnings];
    };
    assert.deepEqual(await shown(), [1, null, ["why"], [{ reason: "r", answers: 2 }]]);
    assert.deepEqual(await partsToPublish(control, clock.now(), 10), []);
    clock.advance(3_600_000);
    const [due, ...others] = await partsToPublish(control, clock.now(), 10);
    assert.deepEqual(
      [due, others],
      [{ ...held, claimedUntil: untilMs }, []],
      "it is looked at again",
    );
    assert.ok(due !== undefined);
    const again = await claimed(due);
    assert.equal(await acceptPart(control, held, clock.now()), true);
    assert.equal(await hold(again), false, "a worker that read it before does not hold it");
    assert.equal(await acceptPart(control, held, clock.now()), false);
    const log = control.database.selectFrom("audit").select("subject");
    const said = await log.where("action", "=", "collection.accepted").execute();
    assert.deepEqual(said, [{ subject: held.sweepId }]);
    const accepted = { ...held, claimedUntil: 0 };
    assert.deepEqual(await partsToPublish(control, clock.now(), 10), [accepted]);
    assert.deepEqual(await earlier(), [true, 39, 40]);
    await recordPublished(control, held, clock.now(), reading(0));
    assert.deepEqual(await shown(), [1, clock.now(), [], [{ reason: "r", answers: 2 }]]);
    const next = await ended();
    assert.deepEqual(
      await earlier(next),
      [false, 0],
      "what was before it is not compared any more",
    );
  },
);

testOnEachEngine(
  "attempts that go on after midnight are within the new day's cap together",
  async (t, engine) => {
    const { clock, control, accountId, today } = await openedCollection(t, engine);
    await addSweep(control, accountId, newSweep(clock.now(), newJobs(3)), clock.now());
    const caps: AccountCaps = { all: { calls: null, micros: 100 }, byProvider: {} };
    const first = { usedMicros: 0, reserveMicros: 10, expectedMicros: 1 };
    const jobs = await lease(control, clock.now(), 3);
    for (const job of jobs)
      assert.equal(
        await reserveRequest(control, job, { caps, cost: first, now: clock.now() }),
        "reserved",
      );
    clock.advance((today + 1) * dayMs - clock.now());
    const further = { usedMicros: 2, reserveMicros: 60, expectedMicros: 40 };
    const notes = [];
    for (const job of jobs)
      notes.push(await reserveRequest(control, job, { caps, cost: further, now: clock.now() }));
    assert.deepEqual(notes, ["reserved", "cap", "cap"]);
    const [going] = jobs;
    assert.ok(going !== undefined);
    await recordOutcome(
      control,
      going,
      { state: "done", spentMicros: 50, assumedMicros: 0 },
      clock.now(),
    );
    const spend = await spendOf(control, accountId, today, today + 2);
    assert.deepEqual(
      spend.map(({ day, calls, spentMicros }) => [day - today, calls, spentMicros]),
      [
        [0, 3, 0],
        [1, 1, 50],
      ],
    );
  },
);

testOnEachEngine("a model that is not there ends the rest of its part", async (t, engine) => {
  const { clock, control, accountId, spentToday, leaseOne } = await openedCollection(t, engine);
  const retired = newJobs(3, { model: "gpt-retired" });
  const others = [...newJobs(1), ...newJobs(1, { provider: "GEMINI", model: "gpt-retired" })];
  const sweep = newSweep(clock.now(), [...retired, ...others]);
  await addSweep(control, accountId, sweep, clock.now());
  await addSweep(
    control,
    accountId,
    newSweep(clock.now(), newJobs(1, { model: "gpt-retired" })),
    clock.now(),
  );
  let job = await leaseOne();
  while (job.model !== "gpt-retired" || job.sweepId !== sweep.id) job = await leaseOne();
  await failQueued(control, { ...job, provider: "OPENAI" }, "no such model", clock.now());
  const parts = (await sweepById(control, accountId, sweep.id, clock.now()))?.parts ?? [];
  const failed = parts.map(({ provider, failed }) => [provider, ...failed.map(({ jobs }) => jobs)]);
  const queued = retired.length - (job.provider === "OPENAI" ? 1 : 0);
  assert.deepEqual(failed.toSorted(), [["GEMINI"], ["OPENAI", queued]]);
  assert.equal((await spentToday()).reservedMicros, 0);
});

testOnEachEngine(
  "a cancelled sweep asks nothing more and ends what it asked",
  async (t, engine) => {
    const { clock, control, accountId, spentToday, leaseOne, partOf } = await openedCollection(
      t,
      engine,
    );
    const sweep = newSweep(clock.now(), newJobs(5));
    await addSweep(control, accountId, sweep, clock.now());
    const [asked, retried, leased] = [await leaseOne(), await leaseOne(), await leaseOne()];
    for (const job of [asked, retried]) await reserve(control, job, clock.now());
    assert.equal(await cancelSweep(control, accountId, sweep.id, clock.now()), true);
    assert.equal(await cancelSweep(control, accountId, sweep.id, clock.now()), true);
    assert.equal(await reserve(control, leased, clock.now()), "lost");
    assert.equal(
      await recordOutcome(control, asked, { state: "done", spentMicros: 1 }, clock.now()),
      true,
    );
    const again = {
      state: "queued",
      nextAt: 0,
      reason: "HTTP 429",
      spentMicros: 0,
      kept: 0,
    } as const;
    assert.equal(await recordOutcome(control, retried, again, clock.now()), true);
    const part = await partOf(sweep.id);
    assert.deepEqual([part?.done, part?.queued, part?.underWay], [1, 0, 0]);
    assert.deepEqual(part?.failed, [{ reason: unaskedReasons.cancelled, jobs: 4 }]);
    const spent = { calls: 2, spentMicros: 1, reservedMicros: 0, unsettledMicros: 0 };
    assert.deepEqual(await spentToday(), spent);
  },
);

testOnEachEngine(
  "accounts and providers take turns, and older slots come first",
  async (t, engine) => {
    const { clock, control, accountId } = await openedCollection(t, engine);
    const other = await emptyAccount(control);
    const gemini = { provider: "GEMINI", vendor: "gemini" } as const;
    const old = newSweep(clock.now() - 1_000, newJobs(3));
    await addSweep(control, accountId, newSweep(clock.now(), newJobs(200)), clock.now());
    await addSweep(control, accountId, old, clock.now());
    await addSweep(
      control,
      other,
      newSweep(clock.now(), [...newJobs(30), ...newJobs(2, gemini)]),
      clock.now(),
    );
    const shares = async (jobsMax: number) => {
      const jobs = await lease(control, clock.now(), jobsMax);
      const mine = jobs.filter((job) => job.accountId === accountId);
      const ofOther = jobs.filter((job) => job.accountId === other);
      const count = (found: readonly LeasedJob[], provider: string) =>
        found.filter((job) => job.provider === provider).length;
      return {
        old: mine.filter((job) => job.sweepId === old.id).length,
        mine: mine.length,
        openai: count(ofOther, "OPENAI"),
        gemini: count(ofOther, "GEMINI"),
      };
    };
    assert.deepEqual(await shares(8), { old: 3, mine: 4, openai: 2, gemini: 2 });
    assert.deepEqual(await shares(8), { old: 0, mine: 4, openai: 4, gemini: 0 });
    // One at a time: the account that was served last comes last.
    const singles = [await shares(1), await shares(1), await shares(1), await shares(1)];
    assert.equal(
      singles.reduce((sum, { mine }) => sum + mine, 0),
      2,
    );
    assert.deepEqual(
      await shares(100),
      { old: 0, mine: 78, openai: 22, gemini: 0 },
      "what is left over goes on",
    );
  },
);
