import type { Clock } from "../platform/clock.ts";

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
