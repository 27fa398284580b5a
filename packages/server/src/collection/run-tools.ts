import type { Vendor } from "@sightline/contract";
import type { AnswerStore } from "../answers/answer-store.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import type { Adapter, Failure, VendorQuestion, VendorRequest } from "./adapter.ts";
import type { CollectionCounts, VendorState } from "./counts.ts";
import type { Prices } from "./prices.ts";
import type { SentRequest } from "./send.ts";
import type { AccountCaps, LeasedJob } from "./store/collection-store.ts";

/** Sends a request with what authorises it; it never throws. */
export type SendRequest = (
  adapter: Adapter,
  request: VendorRequest,
  signal: AbortSignal,
) => Promise<SentRequest>;

/** What of an account a job needs. */
export interface JobAccount {
  readonly caps: AccountCaps;
  /** The text of a prompt; null: it was retired or paused since it was planned. */
  readonly promptText: (promptId: string) => string | null;
}

/** A vendor on this node. */
export interface ActiveVendor {
  readonly adapter: Adapter;
  readonly circuit: VendorCircuit;
  readonly concurrency: VendorConcurrency;
}

/** The prices that jobs are settled and reserved by. */
export type JobPrices = Pick<Prices, "costOf" | "reserveMicrosOf" | "expectedMicrosOf">;

/** What jobs are run with. */
export interface RunTools {
  readonly control: ControlEngine;
  readonly answers: Pick<AnswerStore, "keepRaw" | "raw">;
  readonly vendors: ReadonlyMap<Vendor, ActiveVendor>;
  /** Null: the account was deleted. */
  readonly account: (accountId: string) => Promise<JobAccount | null>;
  readonly send: SendRequest;
  readonly prices: JobPrices;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly timers: ClockTimers;
  readonly counts: CollectionCounts;
  readonly logger: Logger;
}

/** A job as its adapter is asked. */
export function questionOf(job: LeasedJob, prompt: string): VendorQuestion {
  const { id, provider, surface, region, model, place = {} } = job;
  return { id, prompt, provider, surface, region, ...place, model };
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
export class ClockTimers {
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
    const isOpen = this.#open !== null && this.#clock.now() < this.#until;
    if (isOpen || (this.#open === null && this.#failures < failuresMax)) return;
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
export class VendorConcurrency {
  readonly #jobsMax: number;
  #limit: number;
  #running = 0;
  #waiting = 0;

  /** @param jobsMax the most jobs that run at a time. */
  constructor(jobsMax: number) {
    this.#jobsMax = jobsMax;
    this.#limit = jobsMax;
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
