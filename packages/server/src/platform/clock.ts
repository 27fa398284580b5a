/** Where the time comes from. The tests hold it; nothing else reads the machine's clocks. */
export interface Clock {
  /** The time of day: milliseconds since 1970-01-01T00:00:00Z. May step, also backwards. */
  readonly now: () => number;
  /** Milliseconds since some instant that stays the same; never steps. For lengths of time. */
  readonly elapsed: () => number;
}

/** The machine's clocks. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
};
