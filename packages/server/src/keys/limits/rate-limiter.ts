import type { Clock } from "../../platform/clock.ts";

/** The decision of a limit on one call. */
export interface Verdict {
  readonly allowed: boolean;
  /** Calls that could follow immediately. */
  readonly remaining: number;
  /** Seconds until the allowance is fully restored. */
  readonly resetSeconds: number;
  /** Whole seconds after which the next call is allowed; 0 when this one was. */
  readonly retryAfterSeconds: number;
}

/** A steady rate with a burst. */
export interface Rate {
  /** Calls that are restored every `perMs`. */
  readonly calls: number;
  readonly perMs: number;
  /** Calls of a burst after a pause. */
  readonly burst: number;
}

/** Above this number of callers, idle ones are evicted. */
const sweepAbove = 10_000;

/**
 * The generic cell rate algorithm (ITU-T I.371): one number per caller, the instant at which its
 * allowance is fully restored. It is exact, so waiting Retry-After always suffices, and a step of
 * the wall clock neither blocks nor resets a caller.
 */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #wholeAtMs = new Map<string, number>();
  #sweepAbove = sweepAbove;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes one call from a caller's allowance, or refuses it and takes nothing. */
  take(caller: string, rate: Rate): Verdict {
    const nowMs = this.#clock.elapsed();
    const verdict = this.peek(caller, rate);
    if (verdict.allowed) {
      const wholeAtMs = Math.max(this.#wholeAtMs.get(caller) ?? nowMs, nowMs);
      this.#wholeAtMs.set(caller, wholeAtMs + rate.perMs / rate.calls);
      if (this.#wholeAtMs.size > this.#sweepAbove) this.#sweep(nowMs);
    }
    return verdict;
  }

  /** The verdict of `take`, without taking a call. */
  peek(caller: string, { calls, perMs, burst }: Rate): Verdict {
    const nowMs = this.#clock.elapsed();
    const callMs = perMs / calls;
    const usedMs = Math.max((this.#wholeAtMs.get(caller) ?? nowMs) - nowMs, 0);
    const overMs = usedMs + callMs - burst * callMs;
    const allowed = overMs <= roundingMs;
    const afterMs = allowed ? usedMs + callMs : usedMs;
    return {
      allowed,
      remaining: Math.max(0, Math.floor((burst * callMs - afterMs + roundingMs) / callMs)),
      resetSeconds: wholeSeconds(afterMs),
      retryAfterSeconds: allowed ? 0 : Math.max(1, wholeSeconds(overMs)),
    };
  }

  #sweep(nowMs: number): void {
    for (const [caller, wholeAtMs] of this.#wholeAtMs) {
      if (wholeAtMs <= nowMs) this.#wholeAtMs.delete(caller);
    }
    // If all are active, the next sweep waits until there are twice as many.
    this.#sweepAbove = Math.max(sweepAbove, this.#wholeAtMs.size * 2);
  }
}

/** Sums of thirds of a millisecond and the like are not exact in doubles. */
const roundingMs = 1e-6;

function wholeSeconds(ms: number): number {
  return Math.max(0, Math.ceil((ms - roundingMs) / 1000));
}
