import type { Clock } from "../src/clock.ts";

interface Timer {
  readonly dueMs: number;
  readonly callback: () => void;
}

/** A clock that stands still until the test moves it; chance is what the test says. */
export class HeldClock implements Clock {
  /** What `random` gives. */
  chance = 0.5;
  #elapsedMs = 0;
  #timers: readonly Timer[] = [];

  readonly elapsed = (): number => this.#elapsedMs;
  readonly random = (): number => this.chance;

  readonly after = (ms: number, callback: () => void): (() => void) => {
    const timer = { dueMs: this.#elapsedMs + ms, callback };
    this.#timers = [...this.#timers, timer].sort((a, b) => a.dueMs - b.dueMs);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  };

  /** How many timers are set: none when nothing goes on. */
  get timers(): number {
    return this.#timers.length;
  }

  /** Lets time pass, and what falls due in it happen. */
  advance(ms: number): void {
    const endMs = this.#elapsedMs + ms;
    for (
      let [next] = this.#timers;
      next !== undefined && next.dueMs <= endMs;
      [next] = this.#timers
    ) {
      this.#ring(next);
    }
    this.#elapsedMs = endMs;
  }

  /** Lets time pass until the next timer rings, if there is one. */
  toNext(): void {
    const [next] = this.#timers;
    if (next !== undefined) this.#ring(next);
  }

  #ring(timer: Timer): void {
    this.#timers = this.#timers.filter((each) => each !== timer);
    this.#elapsedMs = Math.max(this.#elapsedMs, timer.dueMs);
    timer.callback();
  }
}
