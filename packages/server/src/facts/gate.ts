/**
 * Lets readers through together, and one at a time those who must be alone: they wait for the
 * readers inside, while new readers wait for them.
 */
export class Gate {
  #inside = 0;
  #alone: Promise<void> | null = null;
  #emptied: (() => void) | null = null;

  /** Runs `read` beside other readers. */
  async together<Result>(read: () => Promise<Result>): Promise<Result> {
    while (this.#alone !== null) await this.#alone;
    this.#inside++;
    try {
      return await read();
    } finally {
      this.#inside--;
      if (this.#inside === 0) this.#emptied?.();
    }
  }

  /** Runs `work` when no reader is inside. */
  async alone(work: () => Promise<void>): Promise<void> {
    while (this.#alone !== null) await this.#alone;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#alone = promise;
    try {
      if (this.#inside > 0) await new Promise<void>((emptied) => (this.#emptied = emptied));
      this.#emptied = null;
      await work();
    } finally {
      this.#alone = null;
      resolve();
    }
  }
}
