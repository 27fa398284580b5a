import type { Vendor } from "@sightline/contract";
import type { VendorHealth } from "./counts.ts";
import { runJob } from "./job-run.ts";
import type { ActiveVendor, RunTools } from "./run-tools.ts";
import type { LeasedJob } from "./store/collection-store.ts";
import { renewLease } from "./store/job-progress.ts";
import { leaseJobs } from "./store/lease-jobs.ts";

/** A crashed worker loses its jobs after this time. */
const leaseMs = 20_000;
/** A lease is renewed when less of it is left. */
const renewedBelowMs = 10_000;
/** The poll interval of a vendor without due jobs. */
const idleMs = 1_000;

/** The most running jobs with accounts' own credentials. */
const ownJobsMax = 64;

interface JobsToStart {
  readonly jobsMax: number;
  /** Only jobs of this account; omitted: of all. */
  readonly accountId?: string;
  /** Called when a job has ended. */
  readonly after?: () => Promise<void>;
}

interface Run {
  readonly job: LeasedJob;
  readonly ended: Promise<void>;
  leaseUntil: number;
}

/**
 * Queries vendors: leases due jobs, for each vendor up to its concurrency, and runs them. All work
 * happens in `poll`, which is called repeatedly; several nodes share the jobs.
 */
export class Collector {
  readonly #tools: RunTools;
  readonly #runs = new Map<string, Run>();
  readonly #leaseAt = new Map<Vendor, number>();
  readonly #leave = new AbortController();
  readonly #stop = new AbortController();
  #ownLeaseAt = 0;
  #ownRunning = 0;
  #polling: Promise<void> = Promise.resolve();

  constructor(tools: RunTools) {
    this.#tools = tools;
  }

  /**
   * Continues jobs whose wait is over and starts due ones. Concurrent calls run one after another.
   */
  poll(): Promise<void> {
    const polled = this.#polling.then(() => this.#poll());
    this.#polling = polled.catch(() => undefined);
    return polled;
  }

  /** Resolves when all running jobs are waiting for their time. */
  async settled(): Promise<void> {
    await this.#polling;
    const { timers } = this.#tools;
    while (this.#runs.size > timers.waiting) {
      const ended = [...this.#runs.values()].map((run) => run.ended);
      await Promise.race([...ended, timers.nextWait()]);
    }
  }

  /** The state of the vendors for which this node has a credential. */
  health(): readonly VendorHealth[] {
    const { vendors, counts } = this.#tools;
    return [...vendors].map(([vendor, { circuit }]) => counts.health(vendor, circuit.state));
  }

  /**
   * Starts nothing more, lets running requests end until `grace`, and stores their replies. Later
   * ones are aborted.
   * @param grace resolves when the time is over.
   */
  async close(grace: Promise<void>): Promise<void> {
    this.#leave.abort();
    await this.#polling;
    const ended = Promise.all([...this.#runs.values()].map((run) => run.ended));
    // Waiting jobs have no running request: their leases are released immediately.
    this.#tools.timers.close();
    await Promise.race([ended, grace]);
    this.#stop.abort();
    await ended;
  }

  async #poll(): Promise<void> {
    if (this.#leave.signal.aborted) return;
    this.#tools.timers.wake();
    await this.#renew();
    await Promise.all([...this.#tools.vendors].map((vendor) => this.#leaseOf(...vendor)));
    await this.#leaseOwn();
  }

  async #renew(): Promise<void> {
    const { clock, control } = this.#tools;
    for (const run of this.#runs.values()) {
      const now = clock.now();
      if (run.leaseUntil - now > renewedBelowMs) continue;
      // A job whose lease was lost ends by itself: its writes are rejected.
      await renewLease(control, run.job, now + leaseMs);
      run.leaseUntil = now + leaseMs;
    }
  }

  async #leaseOf(vendor: Vendor, active: ActiveVendor): Promise<void> {
    const { clock } = this.#tools;
    const jobsMax = active.concurrency.free(active.circuit.jobsMax);
    if (jobsMax === 0 || (this.#leaseAt.get(vendor) ?? 0) > clock.elapsed()) return;
    const leased = await this.#start(active, { jobsMax });
    if (leased < jobsMax) this.#leaseAt.set(vendor, clock.elapsed() + idleMs);
  }

  /** Starts jobs of accounts that have credentials of their own. */
  async #leaseOwn(): Promise<void> {
    const { clock, ownVendors } = this.#tools;
    if (this.#ownLeaseAt > clock.elapsed()) return;
    this.#ownLeaseAt = clock.elapsed() + idleMs;
    for (const own of await ownVendors.due()) {
      const { accountId, active } = own;
      const free = active.concurrency.free(active.circuit.jobsMax);
      const jobsMax = Math.min(free, ownJobsMax - this.#ownRunning);
      const after = () => ownVendors.note(own);
      if (jobsMax > 0) await this.#start(active, { jobsMax, accountId, after });
    }
  }

  /** Leases jobs and runs them. @returns how many. */
  async #start(active: ActiveVendor, { jobsMax, accountId, after }: JobsToStart): Promise<number> {
    const { clock, control, logger } = this.#tools;
    const { vendor } = active.adapter;
    const leaseUntil = clock.now() + leaseMs;
    const jobs = await leaseJobs(control, [vendor], {
      now: clock.now(),
      untilMs: leaseUntil,
      jobsMax,
      ...(accountId === undefined ? {} : { accountId }),
    });
    for (const job of jobs) {
      active.concurrency.begin();
      if (!active.isOfService) this.#ownRunning++;
      const signals = { leaving: this.#leave.signal, signal: this.#stop.signal };
      const ended = runJob(this.#tools, { job, vendor: active, ...signals })
        .then(after)
        .catch((error: unknown) => {
          const { accountId, sweepId, id } = job;
          const failed = { accountId, sweepId, job: id, vendor, error: String(error) };
          logger.error(failed, "a job of a sweep was left, and is taken up again");
        })
        .finally(() => {
          active.concurrency.end();
          if (!active.isOfService) this.#ownRunning--;
          if (this.#runs.get(job.id)?.ended === ended) this.#runs.delete(job.id);
        });
      this.#runs.set(job.id, { job, ended, leaseUntil });
    }
    return jobs.length;
  }
}
