/** Work that lies so long back counts half. */
const halfLifeMs = 10_000;

interface Waiting {
  readonly accountId: string;
  readonly start: () => void;
}

interface Used {
  ms: number;
  /** When it was that much, as performance.now() counts. */
  atMs: number;
}

/**
 * Whose import is judged next: one chunk's worth of one account at a time. The account whose
 * imports took the least time lately comes first, so that one that imports now and then does not
 * wait for those that import all the time.
 */
export class ImportTurns {
  readonly #atOnce: number;
  readonly #waiting: Waiting[] = [];
  readonly #running = new Set<string>();
  readonly #used = new Map<string, Used>();
  #isScheduled = false;

  /** @param atOnce accounts at a time. */
  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Resolves when it is the account's turn, which ends when the result is called. */
  async take(accountId: string): Promise<() => void> {
    await new Promise<void>((start) => {
      this.#waiting.push({ accountId, start });
      this.#schedule();
    });
    const startedMs = performance.now();
    return () => {
      this.#running.delete(accountId);
      const nowMs = performance.now();
      const ms = this.#usedBy(accountId, nowMs) + nowMs - startedMs;
      this.#used.set(accountId, { ms, atMs: nowMs });
      this.#schedule();
    };
  }

  /** In the next round, in which an import that just had its turn waits for another one. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#serve();
    });
  }

  #serve(): void {
    while (this.#running.size < this.#atOnce) {
      const next = this.#next();
      if (next === null) return;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#running.add(next.accountId);
      next.start();
    }
  }

  #next(): Waiting | null {
    const nowMs = performance.now();
    let next: Waiting | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const each of this.#waiting) {
      if (this.#running.has(each.accountId)) continue;
      const used = this.#usedBy(each.accountId, nowMs);
      if (used >= least) continue;
      next = each;
      least = used;
    }
    return next;
  }

  #usedBy(accountId: string, nowMs: number): number {
    const used = this.#used.get(accountId);
    if (used === undefined) return 0;
    const left = used.ms * 2 ** ((used.atMs - nowMs) / halfLifeMs);
    if (left < 1) this.#used.delete(accountId);
    return left;
  }
}

/** The turns of one import. */
export class ImportTurn {
  readonly #turns: ImportTurns;
  readonly #accountId: string;
  #end: (() => void) | null = null;

  constructor(turns: ImportTurns, accountId: string) {
    this.#turns = turns;
    this.#accountId = accountId;
  }

  async begin(): Promise<void> {
    this.#end ??= await this.#turns.take(this.#accountId);
  }

  end(): void {
    this.#end?.();
    this.#end = null;
  }

  /**
   * The chunks of a stream, each with a turn that lasts until the next one is asked for: while the
   * stream is awaited, others have theirs. After the last chunk the turn stays, for what is left to
   * do, until it is ended.
   * @throws the signal's reason when it aborts.
   */
  async *each(chunks: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
    this.end();
    for await (const chunk of chunks) {
      await this.begin();
      signal.throwIfAborted();
      yield chunk;
      this.end();
    }
    await this.begin();
    signal.throwIfAborted();
  }
}
