/** A request that waits for its reply. */
export interface WatchedRequest {
  /** Aborts when the server will not answer it. */
  readonly signal: AbortSignal;
  /** To be called when the request ended, however it did. */
  readonly done: () => void;
}

/** Most requests end sooner, and nothing is looked at. */
const lookEveryMs = 500;

/** What a request ends with that the server will not answer. */
export class NotAnsweringError extends Error {
  /** As of a connection that broke: the request may be sent again. */
  readonly code = "ECONNABORTED";

  constructor() {
    super("ClickHouse does not answer");
    this.name = "NotAnsweringError";
  }
}

/**
 * Tells a server that works for long from one that cannot be reached, whose replies never come:
 * while requests wait, the server is asked over a connection of its own whether it is there. When
 * it is not, requests end without waiting for their deadline. When it is back, those that were sent
 * before end too: their connections may be dead.
 */
export class ServerWatch {
  readonly #isThere: () => Promise<boolean>;
  readonly #waiting = new Set<{ readonly sinceMs: number; readonly cut: AbortController }>();
  #isAway = false;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(isThere: () => Promise<boolean>) {
    this.#isThere = isThere;
  }

  begin(): WatchedRequest {
    const request = { sinceMs: performance.now(), cut: new AbortController() };
    this.#waiting.add(request);
    this.#lookLater();
    return { signal: request.cut.signal, done: () => void this.#waiting.delete(request) };
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #lookLater(): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => void this.#look(), lookEveryMs).unref();
  }

  async #look(): Promise<void> {
    const nowMs = performance.now();
    const isLong = [...this.#waiting].some(({ sinceMs }) => nowMs - sinceMs >= lookEveryMs);
    if (isLong || this.#isAway) await this.#lookAt(nowMs);
    this.#timer = null;
    if (this.#waiting.size > 0 || this.#isAway) this.#lookLater();
  }

  async #lookAt(nowMs: number): Promise<void> {
    const wasAway = this.#isAway;
    // Asked twice: this thread may have been busy while the reply came.
    this.#isAway = !((await this.#isThere()) || (!wasAway && (await this.#isThere())));
    if (!wasAway && !this.#isAway) return;
    for (const request of this.#waiting) {
      if (request.sinceMs <= nowMs) request.cut.abort(new NotAnsweringError());
    }
  }
}
