import type { Pool } from "pg";

/** Connections of a pool that writers leave to everybody else. */
const spared = 4;

interface Waiting {
  readonly accountId: string;
  readonly begin: () => void;
}

/**
 * The writers of a process, in order of their coming. A writer has a connection for as long as it
 * writes or waits for other nodes: if it also had one while it waits for others of its process, a
 * few imports of one account would leave none to the other accounts.
 */
class WriterTurns {
  readonly #most: number;
  readonly #writing = new Set<string>();
  #waiting: readonly Waiting[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Resolves when no other one writes for the account, with what ends the turn. */
  async take(accountId: string): Promise<() => void> {
    await new Promise<void>((begin) => {
      this.#waiting = [...this.#waiting, { accountId, begin }];
      this.#beginNext();
    });
    return () => {
      this.#writing.delete(accountId);
      this.#beginNext();
    };
  }

  /** One that ends makes room for one; one that comes begins or waits. */
  #beginNext(): void {
    if (this.#writing.size >= this.#most) return;
    const next = this.#waiting.find(({ accountId }) => !this.#writing.has(accountId));
    if (next === undefined) return;
    this.#waiting = this.#waiting.filter((each) => each !== next);
    this.#writing.add(next.accountId);
    next.begin();
  }
}

const turnsOf = new WeakMap<Pool, WriterTurns>();

/** A turn to write for an account over a pool; see WriterTurns. @returns what ends it. */
export function takeWriterTurn(pool: Pool, accountId: string): Promise<() => void> {
  const turns = turnsOf.get(pool) ?? new WriterTurns(Math.max(1, pool.options.max - spared));
  turnsOf.set(pool, turns);
  return turns.take(accountId);
}
