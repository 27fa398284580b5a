import assert from "node:assert/strict";
import type { Vendor } from "@sightline/contract";
import { startStandIn } from "@sightline/stand-in";
import { billedBy, sumsOf } from "@sightline/test-kit/collection/collecting.ts";
import { declaredPromptsOf } from "../../src/accounts/account-store.ts";
import type { RecordedAnswer } from "../../src/answers/answer-store.ts";
import type { EndedJob } from "../../src/collection/store/collection-store.ts";
import { jobsOfPart } from "../../src/collection/store/part-store.ts";
import { spendOf } from "../../src/collection/store/spend-ledger.ts";
import { sweepById } from "../../src/collection/store/sweep-reads.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { openStorage, type Storage } from "../../src/storage.ts";
import type { KilledSweep } from "./sweep-to-kill.ts";

/** What a sweep came to whose processes were killed. */
export interface KilledSweepReport {
  readonly jobs: number;
  readonly done: number;
  /** Cut off: paid or not, nobody knows. */
  readonly cutOff: number;
  readonly billedMicros: number;
  readonly settledMicros: number;
  readonly unsettledMicros: number;
}

/**
 * Asserts that every job was billed once at most and has one answer, and that the ledger and the
 * bill agree: job by job where nothing was cut off, and within what is unsettled in all.
 */
export async function checkKilledSweep(
  { place, accountId, sweepId, billFile }: KilledSweep,
  jobsWanted: number,
): Promise<KilledSweepReport> {
  const storage = await openStorage(place);
  const standIn = await startStandIn({ billFile });
  try {
    const jobs = await jobsOf(storage, accountId, sweepId);
    assert.equal(jobs.length, jobsWanted);
    await assertRecordedOnce(storage, accountId, jobs);
    const { prompts } = standIn.bill();
    const bills = new Map(prompts.map((each) => [keyOf(each.vendor, each.prompt), each]));
    const texts = await declaredPromptsOf(storage.control, accountId);
    const textOf = new Map(texts.map(({ id, text }) => [id, text]));
    for (const job of jobs) {
      const bill = bills.get(keyOf(job.vendor, textOf.get(job.promptId) ?? ""));
      const billed = { times: bill?.billed ?? 0, micros: bill?.micros ?? 0 };
      // Anthropic's turns that were paused are requests of their own, each billed.
      const timesMax = job.vendor === "anthropic" ? 6 : 1;
      assert.ok(billed.times <= timesMax, `${job.id} was billed ${billed.times} times`);
      if (job.state === "done") {
        assert.equal(job.spentMicros, billed.micros, `${job.vendor} ${job.id}`);
      }
    }
    const { spentMicros, reservedMicros, unsettledMicros } = sumsOf(
      await spendOf(storage.control, accountId, 0, 100_000),
    );
    const { micros } = billedBy(standIn);
    assert.equal(reservedMicros, 0);
    assert.ok(spentMicros <= micros, `${spentMicros} were settled and ${micros} billed`);
    assert.ok(micros <= spentMicros + unsettledMicros, `${micros} were billed`);
    const done = jobs.filter(({ state }) => state === "done").length;
    const cutOff = jobs.filter(({ reason }) => reason?.includes("cut off") === true).length;
    return {
      jobs: jobs.length,
      done,
      cutOff,
      billedMicros: micros,
      settledMicros: spentMicros,
      unsettledMicros,
    };
  } finally {
    await standIn.close();
    await storage.close();
  }
}

function keyOf(vendor: Vendor, prompt: string): string {
  return `${vendor} ${prompt}`;
}

async function jobsOf({ control }: Storage, accountId: string, sweepId: string) {
  const sweep = await sweepById(control, accountId, sweepId, systemClock.now());
  assert.ok(sweep !== null);
  const jobs: EndedJob[] = [];
  for (const part of sweep.parts) {
    const key = { ...part, accountId, sweepId, slot: sweep.slot };
    jobs.push(...(await jobsOfPart(control, key, null, 100_000)));
  }
  return jobs;
}

/** All answers of an account, in the order of the record. */
export async function* recordedAnswers(
  answers: Storage["answers"],
  accountId: string,
): AsyncGenerator<RecordedAnswer> {
  let after = 0;
  for (;;) {
    const page = await answers.read(accountId, { after, limit: 1_000 });
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.sequence;
  }
}

/** Each job has the answer of its id, and its state is the answer's outcome. */
async function assertRecordedOnce(
  { answers }: Storage,
  accountId: string,
  jobs: readonly EndedJob[],
): Promise<void> {
  const recorded = new Map<string, string>();
  for await (const { id, outcome } of recordedAnswers(answers, accountId)) {
    assert.ok(!recorded.has(id), `${id} is recorded twice`);
    recorded.set(id, outcome);
  }
  assert.equal(recorded.size, jobs.length);
  for (const { id, state } of jobs) {
    assert.equal(recorded.get(id) === "failed", state === "failed", `${id} is ${state}`);
  }
}
