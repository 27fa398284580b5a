/** How many requests a vendor takes. Omitted: any number. */
export interface RequestLimits {
  readonly inFlight?: number | undefined;
  readonly perSecond?: number | undefined;
}

const secondMs = 1_000;

/** Counts the requests of one vendor. Time is passed in, in milliseconds that never step. */
export class OpenRequests {
  #inFlight = 0;
  readonly #began: number[] = [];

  /**
   * Counts a request as under way: null. Or does not, and says after how many milliseconds it may
   * be sent again.
   */
  begin(limits: RequestLimits, elapsedMs: number): number | null {
    const isOver = (at: number | undefined) => at !== undefined && elapsedMs - at >= secondMs;
    while (isOver(this.#began[0])) this.#began.shift();
    if (this.#inFlight >= (limits.inFlight ?? Number.POSITIVE_INFINITY)) return secondMs;
    if (this.#began.length >= (limits.perSecond ?? Number.POSITIVE_INFINITY)) {
      return secondMs - (elapsedMs - (this.#began[0] ?? elapsedMs));
    }
    this.#inFlight += 1;
    this.#began.push(elapsedMs);
    return null;
  }

  /** A request that was under way has its reply, or lost its connection. */
  end(): void {
    this.#inFlight -= 1;
  }
}
