import type { Clock } from "../platform/clock.ts";
import type { Failure } from "./adapter.ts";

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
