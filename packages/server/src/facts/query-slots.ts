import { ServiceError } from "../platform/service-error.ts";

/** How many questions may run and wait. */
export interface QuerySlotsLimits {
  /** Concurrent, over all accounts: at most half of the thread pool. */
  readonly running: number;
  /** Concurrent, of one account. */
  readonly runningPerAccount: number;
  /** Queued, of one account; one more is rejected immediately. */
  readonly waitingPerAccount: number;
}

interface Waiting {
  readonly start: () => void;
}

/**
 * Lets so many questions at a time to the engine. Who waits is served in turns, an account at a
 * time, so that one account's flood costs the others a few questions' time and no more.
 */
export class QuerySlots {
  readonly #limits: QuerySlotsLimits;
  readonly #running = new Map<string, number>();
  /** In the order of turns: an account that was served goes to the end. */
  readonly #lines = new Map<string, Waiting[]>();
  #runningTotal = 0;

  constructor(limits: QuerySlotsLimits) {
    this.#limits = limits;
  }

  /**
   * Runs `work` when it is its turn.
   * @throws ServiceError overloaded when the account's line is full; the signal's reason when it
   * aborts before the turn comes.
   */
  async run<Result>(
    accountId: string,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    signal.throwIfAborted();
    if (this.#isFree(accountId)) this.#take(accountId);
    else await this.#turn(accountId, signal);
    try {
      return await work();
    } finally {
      this.#release(accountId);
    }
  }

  #isFree(accountId: string): boolean {
    const { running, runningPerAccount } = this.#limits;
    return this.#runningTotal < running && (this.#running.get(accountId) ?? 0) < runningPerAccount;
  }

  #take(accountId: string): void {
    this.#runningTotal++;
    this.#running.set(accountId, (this.#running.get(accountId) ?? 0) + 1);
  }

  #release(accountId: string): void {
    this.#runningTotal--;
    const left = (this.#running.get(accountId) ?? 1) - 1;
    if (left === 0) this.#running.delete(accountId);
    else this.#running.set(accountId, left);
    this.#serveNext();
  }

  #turn(accountId: string, signal: AbortSignal): Promise<void> {
    const line = this.#lines.get(accountId) ?? [];
    if (line.length >= this.#limits.waitingPerAccount) {
      throw new ServiceError("overloaded", "Too many requests of this account are queued.", {
        headers: { "Retry-After": "1" },
      });
    }
    this.#lines.set(accountId, line);
    return new Promise((resolve, reject) => {
      const leave = () => {
        line.splice(line.indexOf(waiting), 1);
        if (line.length === 0) this.#lines.delete(accountId);
        reject(signal.reason);
      };
      const waiting = {
        start: () => {
          signal.removeEventListener("abort", leave);
          resolve();
        },
      };
      line.push(waiting);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  #serveNext(): void {
    for (const [accountId, line] of this.#lines) {
      if (!this.#isFree(accountId)) continue;
      const next = line.shift();
      this.#lines.delete(accountId);
      if (line.length > 0) this.#lines.set(accountId, line);
      if (next === undefined) continue;
      this.#take(accountId);
      next.start();
      return;
    }
  }
}
