import type { Clock } from "../src/platform/clock.ts";

/** A clock that stands still until the test moves it. */
export class HeldClock implements Clock {
  #nowMs: number;

  constructor(nowMs = Date.parse("2026-06-01T12:00:00.000Z")) {
    this.#nowMs = nowMs;
  }

  readonly now = (): number => this.#nowMs;

  advance(ms: number): void {
    this.#nowMs += ms;
  }
}
