import assert from "node:assert/strict";
import type {
  AccountCaps,
  LeasedJob,
  NewJob,
} from "../../../server/src/collection/store/collection-store.ts";

const dayMs = 86_400_000;

/** A job as it must stand. Money in millionths of a dollar. */
export interface ModelJob {
  state: "queued" | "leased" | "submitted" | "done" | "failed";
  dueAt: number;
  fence: number;
  attempts: number;
  sent: number;
  replied: number;
  calls: number;
  reserved: number | null;
  spent: number;
  unsettled: number;
}

/** What the store must do, of jobs of one sweep whose deadline is far, on one UTC day. */
export class CollectionModel {
  readonly jobs: ReadonlyMap<string, ModelJob>;
  readonly #reserves: ReadonlyMap<string, number>;
  readonly #caps: AccountCaps;
  /** Until the next day. */
  #isHeld = false;

  constructor(jobs: readonly NewJob[], caps: AccountCaps, now: number) {
    this.#reserves = new Map(jobs.map(({ id, reserveMicros }) => [id, reserveMicros]));
    this.#caps = caps;
    const fresh = { fence: 0, attempts: 0, sent: 0, replied: 0, calls: 0 };
    this.jobs = new Map(
      jobs.map(({ id }) => {
        const money = { reserved: null, spent: 0, unsettled: 0 };
        return [id, { state: "queued", dueAt: now, ...fresh, ...money }];
      }),
    );
  }

  leased(found: readonly LeasedJob[], options: { now: number; untilMs: number; jobsMax: number }) {
    const open = [...this.jobs.values()].filter((job) => isOpen(job) && job.dueAt <= options.now);
    assert.equal(found.length, this.#isHeld ? 0 : Math.min(open.length, options.jobsMax));
    assert.equal(new Set(found.map(({ id }) => id)).size, found.length);
    for (const { id, fence, sent, replied, attempts, spentMicros } of found) {
      const job = this.#job(id);
      assert.ok(isOpen(job) && job.dueAt <= options.now, "nobody has it");
      Object.assign(job, { fence: job.fence + 1, dueAt: options.untilMs });
      if (job.state === "queued") job.state = "leased";
      assert.deepEqual(
        { fence, sent, replied, attempts, spentMicros },
        {
          fence: job.fence,
          sent: job.sent,
          replied: job.replied,
          attempts: job.attempts,
          spentMicros: job.spent,
        },
      );
    }
  }

  /** What a write of this lease changes; null: another worker has the job. */
  held({ id, fence }: LeasedJob): ModelJob | null {
    const job = this.#job(id);
    return job.fence === fence && (job.state === "leased" || job.state === "submitted")
      ? job
      : null;
  }

  sending(leased: LeasedJob, now: number): "reserved" | "cap" | "lost" {
    const job = this.held(leased);
    if (job === null) return "lost";
    const reserve = this.#reserves.get(leased.id) ?? 0;
    const own = job.reserved ?? reserve;
    const sum = this.sums();
    const { calls, micros } = this.#caps.all;
    const gone = sum.spentMicros + sum.unsettledMicros + own;
    const isOver = sum.calls + 1 > (calls ?? Infinity) || gone > (micros ?? Infinity);
    const others = sum.reservedMicros - (job.reserved ?? 0);
    if (isOver || gone + others > (micros ?? Infinity)) {
      // One that goes on waits alone: it may cost more than a first request.
      const isAlone = job.sent > 0;
      this.#isHeld ||= isOver && !isAlone;
      const tomorrow = (Math.floor(now / dayMs) + 1) * dayMs;
      this.putBack(job, isOver ? (isAlone ? tomorrow : now) : now + 2_000);
      return "cap";
    }
    Object.assign(job, { sent: job.sent + 1, calls: job.calls + 1 });
    job.reserved ??= reserve;
    return "reserved";
  }

  putBack(job: ModelJob, dueAt: number): void {
    Object.assign(job, { dueAt, fence: job.fence + 1 });
    if (job.sent === 0) job.state = "queued";
  }

  settle(job: ModelJob, spent: number | null): void {
    if (spent === null) job.unsettled += job.reserved ?? 0;
    else job.spent += spent;
    job.reserved = null;
  }

  sums() {
    const jobs = [...this.jobs.values()];
    const sum = (of: (job: ModelJob) => number) => jobs.reduce((total, job) => total + of(job), 0);
    return {
      calls: sum(({ calls }) => calls),
      spentMicros: sum(({ spent }) => spent),
      reservedMicros: sum(({ reserved }) => reserved ?? 0),
      unsettledMicros: sum(({ unsettled }) => unsettled),
    };
  }

  count(...states: readonly ModelJob["state"][]): number {
    return [...this.jobs.values()].filter(({ state }) => states.includes(state)).length;
  }

  #job(id: string): ModelJob {
    const job = this.jobs.get(id);
    assert.ok(job !== undefined, "it is of this sweep");
    return job;
  }
}

function isOpen({ state }: ModelJob): boolean {
  return state !== "done" && state !== "failed";
}

/** Later than every instant of a test. */
export const farMs = 100 * dayMs;
