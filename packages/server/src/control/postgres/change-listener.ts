import type { Client } from "pg";
import { postgresClientConfig } from "../../platform/postgres.ts";
import { changesChannel } from "./cluster-migrations.ts";

/** The connection's name in pg_stat_activity. */
export const listenerName = "sightline listener";

/** How often the connection is asked whether it still is one, and how long it may take to reply. */
const beatEveryMs = 500;
const beatWithinMs = 1_000;
const reconnectAfterMs = 250;
/** Without a sign of life for so long, notices may be lost. */
const trustedMs = beatEveryMs + beatWithinMs;
/** How often what is remembered is forgotten, while notices may be lost. */
const forgottenEveryMs = 1_000;

/**
 * Listens for what all nodes write. Begins with the first question for the version, since commands
 * never ask. While it cannot listen, the version changes every second.
 */
export class ChangeListener {
  readonly #url: string;
  readonly #stop = new AbortController();
  /** Rises with each write that was heard of. */
  #heard = 0;
  /** When the connection was last known to work, as `performance.now` counts. */
  #aliveMs = Number.NEGATIVE_INFINITY;
  #loop: Promise<void> | null = null;

  constructor(url: string) {
    this.#url = url;
  }

  /** Another value whenever something may have been written since. */
  version(): string {
    this.#loop ??= this.#loopOn();
    const now = performance.now();
    if (now - this.#aliveMs < trustedMs) return `${this.#heard}`;
    return `${this.#heard}/${Math.floor(now / forgottenEveryMs)}`;
  }

  /** Notes a write of this process, whose notice has yet to come. */
  wrote(): void {
    this.#heard++;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
  }

  async #loopOn(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#listen().catch(() => undefined);
      this.#aliveMs = Number.NEGATIVE_INFINITY;
      await pause(reconnectAfterMs, this.#stop.signal);
    }
  }

  /** Returns, or throws, when the connection ended. */
  async #listen(): Promise<void> {
    const { default: pg } = await import("pg");
    const config = await postgresClientConfig(this.#url, { statementMs: beatWithinMs });
    const client = new pg.Client({ ...config, application_name: listenerName });
    const ended = new AbortController();
    client.on("end", () => ended.abort());
    client.on("error", () => ended.abort());
    const over = AbortSignal.any([this.#stop.signal, ended.signal]);
    client.on("notification", () => {
      this.#heard++;
    });
    try {
      await client.connect();
      await client.query(`listen ${changesChannel}`);
      this.#heard++; // what was written before is not told
      while (!over.aborted) {
        await this.#beat(client);
        await pause(beatEveryMs, over);
      }
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** The instant before the question counts: what was written until then is heard. */
  async #beat(client: Client): Promise<void> {
    const askedMs = performance.now();
    await client.query("select 1");
    this.#aliveMs = askedMs;
  }
}

/**
 * Resolves after a time, or when a signal aborts. TRICKY: nothing of it stays with the signal. Of
 * a race with a promise that lasts, each round would: 50 MB a day.
 */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
}
