import type { Vendor } from "@sightline/contract";
import type { Clock } from "../platform/clock.ts";
import type { Failure } from "./adapter.ts";
import type { VendorHealth } from "./counts.ts";
import { runJob } from "./job-run.ts";
import type { AskedVendor, RunTools } from "./run-tools.ts";
import { renewLease } from "./store/asked-jobs.ts";
import type { LeasedJob } from "./store/collection-store.ts";
import { leaseJobs } from "./store/lease-jobs.ts";

/** A worker that dies loses its jobs after so long. */
const leaseMs = 20_000;
/** A lease is renewed when less is left of it. */
const renewedBelowMs = 10_000;
/** Where there was nothing to lease, it is looked again after so long. */
const idleMs = 1_000;

interface Run {
  readonly job: LeasedJob;
  readonly ended: Promise<void>;
  leaseUntil: number;
}

/**
 * Asks vendors: leases jobs that are due, as many of each vendor as it has places, and runs them.
 * Everything happens in `look`, which is called again and again; several nodes share the jobs.
 */
export class Collector {
  readonly #tools: RunTools;
  readonly #runs = new Map<string, Run>();
  readonly #leaseAt = new Map<Vendor, number>();
  readonly #leave = new AbortController();
  readonly #stop = new AbortController();
  #looking: Promise<void> = Promise.resolve();

  constructor(tools: RunTools) {
    this.#tools = tools;
  }

  /** Continues what waited long enough and begins jobs that are due. Calls wait for each other. */
  look(): Promise<void> {
    const looked = this.#looking.then(() => this.#look());
    this.#looking = looked.catch(() => undefined);
    return looked;
  }

  /** Resolves when no job runs but those that wait for their time. */
  async settled(): Promise<void> {
    await this.#looking;
    const { timetable } = this.#tools;
    while (this.#runs.size > timetable.waiting) {
      const ended = [...this.#runs.values()].map((run) => run.ended);
      await Promise.race([...ended, timetable.nextWait()]);
    }
  }

  /** How vendors stand that this node has a credential for. */
  health(): readonly VendorHealth[] {
    const { vendors, counts } = this.#tools;
    return [...vendors].map(([vendor, { circuit }]) => counts.health(vendor, circuit.state));
  }

  /**
   * Begins nothing any more, lets requests under way end for so long, and keeps their replies.
   * Those that take longer are cut off.
   * @param grace resolves when their time is over.
   */
  async close(grace: Promise<void>): Promise<void> {
    this.#leave.abort();
    await this.#looking;
    const ended = Promise.all([...this.#runs.values()].map((run) => run.ended));
    // What waits has nothing under way, and its lease is given back immediately.
    this.#tools.timetable.close();
    await Promise.race([ended, grace]);
    this.#stop.abort();
    await ended;
  }

  async #look(): Promise<void> {
    if (this.#leave.signal.aborted) return;
    this.#tools.timetable.wake();
    await this.#renew();
    await Promise.all([...this.#tools.vendors].map((vendor) => this.#lease(...vendor)));
  }

  async #renew(): Promise<void> {
    const { clock, control } = this.#tools;
    for (const run of this.#runs.values()) {
      const now = clock.now();
      if (run.leaseUntil - now > renewedBelowMs) continue;
      // One that was lost ends by itself: nothing that it writes is taken.
      await renewLease(control, run.job, now + leaseMs);
      run.leaseUntil = now + leaseMs;
    }
  }

  async #lease(vendor: Vendor, asked: AskedVendor): Promise<void> {
    const { clock, control, logger } = this.#tools;
    const jobsMax = asked.places.free(asked.circuit.jobsMax);
    if (jobsMax === 0 || (this.#leaseAt.get(vendor) ?? 0) > clock.elapsed()) return;
    const leaseUntil = clock.now() + leaseMs;
    const jobs = await leaseJobs(control, [vendor], {
      now: clock.now(),
      untilMs: leaseUntil,
      jobsMax,
    });
    if (jobs.length < jobsMax) this.#leaseAt.set(vendor, clock.elapsed() + idleMs);
    for (const job of jobs) {
      asked.places.begin();
      const signals = { leaving: this.#leave.signal, signal: this.#stop.signal };
      const ended = runJob(this.#tools, { job, vendor: asked, ...signals })
        .catch((error: unknown) => {
          const { accountId, sweepId, id } = job;
          const failed = { accountId, sweepId, job: id, vendor, error: String(error) };
          logger.error(failed, "a job of a sweep was left, and is taken up again");
        })
        .finally(() => {
          asked.places.end();
          if (this.#runs.get(job.id)?.ended === ended) this.#runs.delete(job.id);
        });
      this.#runs.set(job.id, { job, ended, leaseUntil });
    }
  }
}

/** The service ends: what waits is left to another worker. */
export class WaitEndedError extends Error {
  constructor() {
    super("the service stops");
    this.name = "WaitEndedError";
  }
}

interface Waiter {
  readonly atMs: number;
  readonly go: () => void;
  readonly end: () => void;
}

/** Waits by the service's clock: nothing goes on until `wake` finds that its time has come. */
export class Timetable {
  readonly #clock: Pick<Clock, "elapsed">;
  readonly #waiting = new Set<Waiter>();
  #next = Promise.withResolvers<void>();
  #isClosed = false;

  constructor(clock: Pick<Clock, "elapsed">) {
    this.#clock = clock;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Resolves when somebody begins to wait. */
  nextWait(): Promise<void> {
    return this.#next.promise;
  }

  /** Resolves when `wake` is called after so long. @throws WaitEndedError. */
  wait(ms: number): Promise<void> {
    if (this.#isClosed) return Promise.reject(new WaitEndedError());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const atMs = this.#clock.elapsed() + ms;
    this.#waiting.add({ atMs, go: resolve, end: () => reject(new WaitEndedError()) });
    this.#next.resolve();
    this.#next = Promise.withResolvers();
    return promise;
  }

  /** Lets go on what has waited for long enough. */
  wake(): void {
    const now = this.#clock.elapsed();
    for (const waiter of this.#waiting) {
      if (waiter.atMs > now) continue;
      this.#waiting.delete(waiter);
      waiter.go();
    }
  }

  /** Ends all waits, and those that begin later. */
  close(): void {
    this.#isClosed = true;
    for (const { end } of this.#waiting) end();
    this.#waiting.clear();
  }
}

/** Whether a vendor is asked now. */
export interface VendorState {
  /** `waiting`: until `until`; `stopped`: until somebody mends it, which is tried then. */
  readonly state: "ready" | "waiting" | "stopped";
  /** Milliseconds since 1970; null: ready. */
  readonly until: number | null;
  /** Why it is not asked; null: ready. */
  readonly reason: string | null;
}

/** So many failures in succession open the circuit: fewer happen to a vendor that works. */
const failuresMax = 5;
/** The first pause of an open circuit; each that follows is twice as long. */
const pauseMs = 10_000;
const pauseMsMax = 10 * 60_000;
/** A limit of the vendor's, when it does not say when that ends. */
const limitMs = 20_000;
/** A credential or a balance is tried again after so long: it may have been mended. */
const stoppedMs = 15 * 60_000;

/**
 * Whether a vendor is asked. Failures in succession, a limit that is reached and a credential that
 * is refused stop it for a while; then one job tries, and the others follow when it succeeds.
 */
export class VendorCircuit {
  readonly #clock: Clock;
  #failures = 0;
  #pauseMs = pauseMs;
  #open: { readonly state: "waiting" | "stopped"; readonly reason: string } | null = null;
  #until = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many jobs may run at a time: none, one that tries, or any number. */
  get jobsMax(): number {
    if (this.#open === null) return Number.POSITIVE_INFINITY;
    return this.#clock.now() < this.#until ? 0 : 1;
  }

  /** As health shows it; what tries again is not ready yet. */
  get state(): VendorState {
    if (this.#open === null) return { state: "ready", until: null, reason: null };
    return { ...this.#open, until: this.#until };
  }

  /** The vendor replied as it should. What was under way when a pause began does not end it. */
  succeeded(): void {
    if (this.#open !== null && this.#clock.now() < this.#until) return;
    this.#failures = 0;
    this.#pauseMs = pauseMs;
    this.#open = null;
  }

  /** @returns when a job that failed so may be asked again at the earliest. */
  failed(failure: Failure): number {
    const { reason, afterMs } = failure;
    if (failure.class === "stop-vendor") this.#stop("stopped", stoppedMs, reason);
    else if (failure.class === "wait") this.#stop("waiting", afterMs ?? limitMs, reason);
    else if (failure.class === "retry") this.#retried(reason, afterMs);
    return this.#open === null ? 0 : this.#until;
  }

  #retried(reason: string, afterMs: number | null): void {
    this.#failures++;
    // What was under way when the circuit opened fails too, and says nothing new.
    const isUnderWay = this.#open !== null && this.#clock.now() < this.#until;
    if (isUnderWay || (this.#open === null && this.#failures < failuresMax)) return;
    this.#stop("waiting", Math.max(this.#pauseMs, afterMs ?? 0), reason);
    this.#pauseMs = Math.min(2 * this.#pauseMs, pauseMsMax);
  }

  /** What ends later counts: requests that were under way fail after the first one. */
  #stop(state: "waiting" | "stopped", forMs: number, reason: string): void {
    const until = this.#clock.now() + forMs;
    if (this.#open !== null && this.#until > until) return;
    this.#open = { state, reason };
    this.#until = until;
  }
}

/** Jobs of a vendor that a node has at a time: most of them wait for a task of the vendor's. */
const jobsHeldMax = 128;

/**
 * How many jobs of a vendor run at a time. A limit that the vendor reports halves it, and what
 * succeeds raises it again by one in as many replies as there are places.
 */
export class VendorPlaces {
  readonly #placesMax: number;
  #limit: number;
  #running = 0;
  #waiting = 0;

  /** @param placesMax the most jobs that run at a time. */
  constructor(placesMax: number) {
    this.#placesMax = placesMax;
    this.#limit = placesMax;
  }

  /** @param jobsMax what the circuit allows. */
  free(jobsMax: number): number {
    const held = this.#running + this.#waiting;
    const free = Math.min(Math.floor(this.#limit) - this.#running, jobsHeldMax - held);
    return Math.max(0, Math.min(free, jobsMax - held));
  }

  begin(): void {
    this.#running++;
  }

  end(): void {
    this.#running--;
  }

  /** Lets another job run while this one waits. */
  async aside<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#running--;
    this.#waiting++;
    try {
      return await work();
    } finally {
      this.#waiting--;
      this.#running++;
    }
  }

  succeeded(): void {
    this.#limit = Math.min(this.#placesMax, this.#limit + 1 / this.#limit);
  }

  limited(): void {
    this.#limit = Math.max(1, this.#limit / 2);
  }
}
