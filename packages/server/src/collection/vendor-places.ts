/** Jobs of a vendor that a node has at a time: most of them wait for a task of the vendor's. */
export const jobsHeldMax = 128;

/**
 * How many jobs of a vendor run at a time. A limit that the vendor reports halves it, and what
 * succeeds raises it again by one in as many replies as there are places.
 */
export class VendorPlaces {
  readonly #placesMax: number;
  #limit: number;
  #running = 0;
  #waiting = 0;

  /** @param placesMax the most jobs that run at a time. */
  constructor(placesMax: number) {
    this.#placesMax = placesMax;
    this.#limit = placesMax;
  }

  /** @param jobsMax what the circuit allows. */
  free(jobsMax: number): number {
    const held = this.#running + this.#waiting;
    const free = Math.min(Math.floor(this.#limit) - this.#running, jobsHeldMax - held);
    return Math.max(0, Math.min(free, jobsMax - held));
  }

  begin(): void {
    this.#running++;
  }

  end(): void {
    this.#running--;
  }

  /** Lets another job run while this one waits. */
  async aside<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#running--;
    this.#waiting++;
    try {
      return await work();
    } finally {
      this.#waiting--;
      this.#running++;
    }
  }

  succeeded(): void {
    this.#limit = Math.min(this.#placesMax, this.#limit + 1 / this.#limit);
  }

  limited(): void {
    this.#limit = Math.max(1, this.#limit / 2);
  }
}
