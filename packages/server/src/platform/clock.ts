/** Where the time comes from. The tests hold it; nothing else reads the machine's clock. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly now: () => number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };
