import { untilAborted } from "../../platform/until-aborted.ts";

/** Readers share the lock; a writer has it alone, and new readers wait for a waiting writer. */
export class ReadWriteLock {
  #readers = 0;
  #writing: Promise<void> | null = null;
  #emptied: (() => void) | null = null;

  /** Runs `work` beside other readers. @throws the signal's reason when it aborts before that. */
  async read<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    while (this.#writing !== null) await untilAborted(this.#writing, signal);
    this.#readers++;
    try {
      return await work();
    } finally {
      this.#readers--;
      if (this.#readers === 0) this.#emptied?.();
    }
  }

  /** Runs `work` when nobody reads. */
  async write<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#writing !== null) await this.#writing;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#writing = promise;
    try {
      if (this.#readers > 0) await new Promise<void>((emptied) => (this.#emptied = emptied));
      this.#emptied = null;
      return await work();
    } finally {
      this.#writing = null;
      resolve();
    }
  }
}
