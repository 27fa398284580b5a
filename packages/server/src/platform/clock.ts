/** The source of time. Tests control it; nothing else reads the machine's clocks. */
export interface Clock {
  /** The time of day: milliseconds since 1970-01-01T00:00:00Z. May step, also backwards. */
  readonly now: () => number;
  /** Milliseconds since a fixed instant; never steps. For durations. */
  readonly elapsed: () => number;
}

/** The machine's clocks. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
};
