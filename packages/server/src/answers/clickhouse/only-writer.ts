import { setTimeout as pause } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";

/** Of the locks of accounts' records: their first number. */
const recordLocks = 5_303_002;
/** An import records a batch within seconds; who waits for longer gives up. */
const lockWaitMs = 60_000;
const lockPauseMs = 50;
/** PostgreSQL ends a connection on which nothing is sent, and the lock is gone with it. */
const silentMs = 5_000;
/** While ClickHouse works, either end would take a silent connection for dead. */
const heartbeatMs = 1_000;

/**
 * Lets `work` record for an account, one writer at a time over all nodes. A writer that loses its
 * connection loses the lock: what it inserts then is abandoned by the next writer.
 */
export async function asOnlyWriter<Result>(
  pool: Pool,
  accountId: string,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const turns = turnsOf.get(pool) ?? new WriterTurns(Math.max(1, pool.options.max - spared));
  turnsOf.set(pool, turns);
  const endTurn = await turns.take(accountId);
  try {
    const done = await whileLocked(pool, [recordLocks, accountId], lockWaitMs, work);
    if (done === null) throw new Error("another import is recording answers");
    return done.result;
  } finally {
    endTurn();
  }
}

/**
 * Does work while a connection has a lock, which is gone with the connection.
 * @param lock its number, and the account.
 * @returns null: another node has the lock, and had it for `waitMs`.
 */
export async function whileLocked<Result>(
  pool: Pool,
  lock: readonly [kind: number, accountId: string],
  waitMs: number,
  work: (client: PoolClient) => Promise<Result>,
): Promise<{ readonly result: Result } | null> {
  const client = await pool.connect();
  const heartbeat = setInterval(() => client.query("select 1").catch(() => null), heartbeatMs);
  let isClean = false;
  try {
    // A writer that sleeps, or whose network broke, must not keep the others waiting.
    await client.query("select set_config('idle_session_timeout', $1, false)", [`${silentMs}`]);
    const endMs = performance.now() + waitMs;
    while (!(await isLocked(client, lock))) {
      if (performance.now() >= endMs) {
        isClean = true;
        return null;
      }
      await pause(lockPauseMs);
    }
    try {
      return { result: await work(client) };
    } finally {
      const unlock = client.query("select pg_advisory_unlock($1, hashtext($2))", [...lock]);
      isClean = await unlock.then(
        () => true,
        () => false,
      );
    }
  } finally {
    clearInterval(heartbeat);
    // Closing the connection gives up a lock that could not be given back.
    client.release(!isClean);
  }
}

async function isLocked(client: PoolClient, lock: readonly unknown[]): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    "select pg_try_advisory_lock($1, hashtext($2)) as locked",
    [...lock],
  );
  return rows[0]?.locked === true;
}

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
