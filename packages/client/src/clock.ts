/** Time and chance as the client sees them. Tests hold a clock of their own. */
export interface Clock {
  /** Milliseconds since some moment that stays the same; setting the time of day moves nothing. */
  readonly elapsed: () => number;
  /** Calls back once, after so many milliseconds. @returns what calls it off. */
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
