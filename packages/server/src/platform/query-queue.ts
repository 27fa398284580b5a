import { ServiceError } from "./service-error.ts";

/** How many questions may run and wait. */
export interface QueryQueueLimits {
  /** Over all accounts: below half of the engine's thread pool, so that others get on. */
  readonly running: number;
  /** Of one account. */
  readonly runningPerAccount: number;
  /** In the queue, of one account; one more is refused. */
  readonly waitingPerAccount: number;
}

interface Waiting {
  readonly start: () => void;
}

/**
 * Bounds how many questions the engine works on. Waiting questions are served round robin over the
 * accounts, so that one account's flood costs the others a few questions' time and no more.
 */
export class QueryQueue {
  readonly #limits: QueryQueueLimits;
  readonly #running = new Map<string, number>();
  /** In the order of turns: an account that was served goes to the end. */
  readonly #queues = new Map<string, Waiting[]>();
  #runningTotal = 0;

  constructor(limits: QueryQueueLimits) {
    this.#limits = limits;
  }

  /**
   * Runs `work` when it is its turn.
   * @throws ServiceError overloaded when the account's queue is full; the signal's reason when it
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
    const queue = this.#queues.get(accountId) ?? [];
    if (queue.length >= this.#limits.waitingPerAccount) {
      throw new ServiceError("overloaded", "Too many requests of this account are queued.", {
        headers: { "Retry-After": "1" },
      });
    }
    this.#queues.set(accountId, queue);
    return new Promise((resolve, reject) => {
      const leave = () => {
        queue.splice(queue.indexOf(waiting), 1);
        if (queue.length === 0) this.#queues.delete(accountId);
        reject(signal.reason);
      };
      const waiting = {
        start: () => {
          signal.removeEventListener("abort", leave);
          resolve();
        },
      };
      queue.push(waiting);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  #serveNext(): void {
    for (const [accountId, queue] of this.#queues) {
      if (!this.#isFree(accountId)) continue;
      const next = queue.shift();
      this.#queues.delete(accountId);
      if (queue.length > 0) this.#queues.set(accountId, queue);
      if (next === undefined) continue;
      this.#take(accountId);
      next.start();
      return;
    }
  }
}
