import type { Clock } from "../../server/src/platform/clock.ts";

/** A clock that stands still until the test moves it. */
export class HeldClock implements Clock {
  #nowMs: number;
  #elapsedMs = 0;

  constructor(nowMs = Date.parse("2026-06-01T12:00:00.000Z")) {
    this.#nowMs = nowMs;
  }

  readonly now = (): number => this.#nowMs;
  readonly elapsed = (): number => this.#elapsedMs;

  /** Lets time pass. */
  advance(ms: number): void {
    this.#nowMs += ms;
    this.#elapsedMs += ms;
  }

  /** Sets the time of day, as an operator or NTP does: no time passes. */
  step(ms: number): void {
    this.#nowMs += ms;
  }
}
