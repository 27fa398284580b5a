import type { Vendor } from "@sightline/contract";
import type { AnswerStore } from "../answers/answer-store.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import type { Adapter, Failure, VendorQuestion, VendorRequest } from "./adapter.ts";
import type { Credentials } from "./config.ts";
import type { CollectionCounts, VendorState } from "./counts.ts";
import type { Prices } from "./prices.ts";
import type { SentRequest } from "./send.ts";
import type { AccountCaps, LeasedJob } from "./store/collection-store.ts";

/** Sends a request with the vendor's credential; never throws. */
export type SendRequest = (
  vendor: Pick<ActiveVendor, "adapter" | "credentials">,
  request: VendorRequest,
  signal: AbortSignal,
) => Promise<SentRequest>;

/** The part of an account that jobs need. */
export interface JobAccount {
  readonly caps: AccountCaps;
  /**
   * What a job asks: a prompt, or for the reader an answer to read; null: the prompt has been
   * retired or paused, or the answer or its text is gone.
   */
  readonly textOf: (
    job: Pick<LeasedJob, "accountId" | "promptId" | "vendor">,
  ) => Promise<string | null>;
}

/** A vendor that this node queries. */
export interface ActiveVendor {
  readonly adapter: Adapter;
  /** What it is asked with. */
  readonly credentials: Credentials;
  /** Whether all accounts are asked with it; otherwise only the one that stored it. */
  readonly isOfService: boolean;
  readonly circuit: VendorCircuit;
  readonly concurrency: VendorConcurrency;
}

/** A vendor asked with an account's own credential. */
export interface OwnVendor {
  readonly accountId: string;
  readonly active: ActiveVendor;
}

/** The prices by which jobs are reserved and settled. */
export type JobPrices = Pick<Prices, "costOf" | "reserveMicrosOf" | "expectedMicrosOf">;

/** Dependencies of running jobs. */
export interface RunTools {
  readonly control: ControlEngine;
  readonly answers: Pick<AnswerStore, "keepRaw" | "raw" | "removeRawOf">;
  readonly vendors: ReadonlyMap<Vendor, ActiveVendor>;
  /** What is asked with the accounts' own credentials. */
  readonly ownVendors: {
    /** Those of which a question is due. */
    readonly due: () => Promise<readonly OwnVendor[]>;
    /** Notes how the vendor takes the credential. */
    readonly note: (vendor: OwnVendor) => Promise<void>;
  };
  /** Reads the account of a job; null: it was deleted. */
  readonly account: (accountId: string) => Promise<JobAccount | null>;
  readonly send: SendRequest;
  readonly prices: JobPrices;
  readonly clock: Clock;
  /** Gives a number from 0 to below 1. */
  readonly random: () => number;
  readonly timers: ClockTimers;
  readonly counts: CollectionCounts;
  readonly logger: Logger;
}

/** The question of a job for its adapter. */
export function questionOf(job: LeasedJob, prompt: string): VendorQuestion {
  const { id, provider, surface, region, model, place = {} } = job;
  return { id, prompt, provider, surface, region, ...place, model };
}

/** The service stops: waiting jobs are left to another worker. */
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

/** Timers on the service's clock, which expire only when `wake` is called. */
export class ClockTimers {
  readonly #clock: Pick<Clock, "elapsed">;
  readonly #waiting = new Set<Waiter>();
  #next = Promise.withResolvers<void>();
  #isClosed = false;

  constructor(clock: Pick<Clock, "elapsed">) {
    this.#clock = clock;
  }

  /** The number of pending timers. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Resolves when the next timer is started. */
  nextWait(): Promise<void> {
    return this.#next.promise;
  }

  /**
   * Resolves when `wake` is called after `ms`. @throws WaitEndedError when the timers are closed.
   */
  wait(ms: number): Promise<void> {
    if (this.#isClosed) return Promise.reject(new WaitEndedError());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const atMs = this.#clock.elapsed() + ms;
    this.#waiting.add({ atMs, go: resolve, end: () => reject(new WaitEndedError()) });
    this.#next.resolve();
    this.#next = Promise.withResolvers();
    return promise;
  }

  /** Resolves the timers that have expired. */
  wake(): void {
    const now = this.#clock.elapsed();
    for (const waiter of this.#waiting) {
      if (waiter.atMs > now) continue;
      this.#waiting.delete(waiter);
      waiter.go();
    }
  }

  /** Rejects all timers, and those that are started later. */
  close(): void {
    this.#isClosed = true;
    for (const { end } of this.#waiting) end();
    this.#waiting.clear();
  }
}

/** Consecutive failures that open the circuit: more than a working vendor has. */
const failuresMax = 5;
/** The first pause of an open circuit; each later one is twice as long. */
const pauseMs = 10_000;
const pauseMsMax = 10 * 60_000;
/** The pause at a rate limit, when the vendor does not say how long it lasts. */
const limitMs = 20_000;
/** How often a refused credential or balance is retried: it may have been fixed. */
const stoppedMs = 15 * 60_000;

/**
 * A vendor's circuit breaker. Consecutive failures, a reached rate limit and a refused credential
 * open it for a while; then one job tries, and the others follow when it succeeds.
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

  /** The highest number of concurrent jobs: 0 while open, 1 for the next try, else unlimited. */
  get jobsMax(): number {
    if (this.#open === null) return Number.POSITIVE_INFINITY;
    return this.#clock.now() < this.#until ? 0 : 1;
  }

  /** The vendor's state for health; a circuit that tries again is not ready yet. */
  get state(): VendorState {
    if (this.#open === null) return { state: "ready", until: null, reason: null };
    return { ...this.#open, until: this.#until };
  }

  /**
   * Closes the circuit after a reply without a fault. Requests that started before a pause do not
   * end it.
   */
  succeeded(): void {
    if (this.#open !== null && this.#clock.now() < this.#until) return;
    this.#failures = 0;
    this.#pauseMs = pauseMs;
    this.#open = null;
  }

  /**
   * Counts a failure. @returns the earliest time of a retry, in milliseconds since 1970; 0:
   * immediately.
   */
  failed(failure: Failure): number {
    const { reason, afterMs } = failure;
    if (failure.class === "stop-vendor") this.#stop("stopped", stoppedMs, reason);
    else if (failure.class === "wait") this.#stop("waiting", afterMs ?? limitMs, reason);
    else if (failure.class === "retry") this.#retried(reason, afterMs);
    return this.#open === null ? 0 : this.#until;
  }

  #retried(reason: string, afterMs: number | null): void {
    this.#failures++;
    // Requests that were running when the circuit opened fail too and do not count.
    const isOpen = this.#open !== null && this.#clock.now() < this.#until;
    if (isOpen || (this.#open === null && this.#failures < failuresMax)) return;
    this.#stop("waiting", Math.max(this.#pauseMs, afterMs ?? 0), reason);
    this.#pauseMs = Math.min(2 * this.#pauseMs, pauseMsMax);
  }

  /** The later end counts: running requests fail after the first one. */
  #stop(state: "waiting" | "stopped", forMs: number, reason: string): void {
    const until = this.#clock.now() + forMs;
    if (this.#open !== null && this.#until > until) return;
    this.#open = { state, reason };
    this.#until = until;
  }
}

/** The most leased jobs of a vendor on a node: most of them wait for a task of the vendor. */
const jobsHeldMax = 128;

/**
 * The concurrency of a vendor's jobs. A rate limit that the vendor reports halves it; each success
 * raises it by the reciprocal of its value, one per round of replies.
 */
export class VendorConcurrency {
  readonly #jobsMax: number;
  #limit: number;
  #running = 0;
  #waiting = 0;

  /** @param jobsMax the highest number of running jobs. */
  constructor(jobsMax: number) {
    this.#jobsMax = jobsMax;
    this.#limit = jobsMax;
  }

  /** How many more jobs may start. @param jobsMax what the circuit allows. */
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

  /** Frees the job's slot for another one while it waits. */
  async whileWaiting<Result>(work: () => Promise<Result>): Promise<Result> {
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
    this.#limit = Math.min(this.#jobsMax, this.#limit + 1 / this.#limit);
  }

  limited(): void {
    this.#limit = Math.max(1, this.#limit / 2);
  }
}
