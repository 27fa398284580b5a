/** Time and randomness as the client sees them. Tests provide their own clock. */
export interface Clock {
  /** Milliseconds since a fixed moment; changes of the time of day do not affect it. */
  readonly elapsed: () => number;
  /**
   * Calls back once, after this many milliseconds.
   * @returns a function that cancels it.
   */
  readonly after: (ms: number, callback: () => void) => () => void;
  /** A number from 0 up to, not including, 1. */
  readonly random: () => number;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  elapsed: () => performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
  random: Math.random,
};
