import type { Clock } from "./clock.ts";
import { TimeoutError } from "./errors.ts";

/** What ends a call before its reply: its time limit, and the caller. */
export interface Deadline {
  /** Aborted with a TimeoutError when time is over, or with the reason of the caller's signal. */
  readonly signal: AbortSignal;
  readonly remainingMs: () => number;
  /** Records a failure that is retried, so that a timeout can report its cause. */
  readonly failed: (failure: unknown) => void;
  /** Call it when the call is over: it releases the timer and the caller's signal. */
  readonly end: () => void;
}

/** The parts of a deadline. */
export interface DeadlineOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
}

/**
 * Starts a deadline. (Node 20.0 has no AbortSignal.any, and AbortSignal.timeout keeps its timer.)
 */
export function startDeadline({ timeoutMs, signal, clock }: DeadlineOptions): Deadline {
  const controller = new AbortController();
  const stop = (): void => controller.abort(signal?.reason);
  const endMs = clock.elapsed() + timeoutMs;
  let cause: unknown;
  const callOff = clock.after(timeoutMs, () => {
    controller.abort(new TimeoutError(timeoutMs, cause));
  });
  if (signal?.aborted === true) stop();
  signal?.addEventListener("abort", stop, { once: true });
  return {
    signal: controller.signal,
    remainingMs: () => endMs - clock.elapsed(),
    failed: (failure) => {
      cause = failure;
    },
    end: () => {
      callOff();
      signal?.removeEventListener("abort", stop);
    },
  };
}
