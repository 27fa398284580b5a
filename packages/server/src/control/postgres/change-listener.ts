import type { Client } from "pg";
import { postgresClientConfig } from "../../platform/postgres.ts";
import { changesChannel } from "./cluster-migrations.ts";

/** The connection's name in pg_stat_activity. */
export const listenerName = "sightline listener";

/** The interval of the connection's heartbeat, and its timeout. */
const beatEveryMs = 500;
const beatWithinMs = 1_000;
const reconnectAfterMs = 250;
/** Without a heartbeat for so long, notifications may be lost. */
const trustedMs = beatEveryMs + beatWithinMs;
/** How often the version changes while notifications may be lost. */
const forgottenEveryMs = 1_000;

/**
 * Listens for the writes of all nodes. It connects at the first call of `version`, since commands
 * never call it. While it cannot listen, the version changes every second.
 */
export class ChangeListener {
  readonly #url: string;
  readonly #stop = new AbortController();
  /** The number of notifications. */
  #notified = 0;
  /** When the last heartbeat succeeded, in the time of `performance.now`. */
  #aliveMs = Number.NEGATIVE_INFINITY;
  #loop: Promise<void> | null = null;

  constructor(url: string) {
    this.#url = url;
  }

  /** Changes whenever another process may have written. */
  version(): string {
    this.#loop ??= this.#loopOn();
    const now = performance.now();
    if (now - this.#aliveMs < trustedMs) return `${this.#notified}`;
    return `${this.#notified}/${Math.floor(now / forgottenEveryMs)}`;
  }

  /** Counts a write of this process, whose notification has yet to arrive. */
  wrote(): void {
    this.#notified++;
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

  /** Listens until the connection ends. @throws when it fails. */
  async #listen(): Promise<void> {
    const { default: pg } = await import("pg");
    const config = await postgresClientConfig(this.#url, { statementMs: beatWithinMs });
    const client = new pg.Client({ ...config, application_name: listenerName });
    const ended = new AbortController();
    client.on("end", () => ended.abort());
    client.on("error", () => ended.abort());
    const over = AbortSignal.any([this.#stop.signal, ended.signal]);
    client.on("notification", () => {
      this.#notified++;
    });
    try {
      await client.connect();
      await client.query(`listen ${changesChannel}`);
      this.#notified++; // earlier writes are not notified
      while (!over.aborted) {
        await this.#beat(client);
        await pause(beatEveryMs, over);
      }
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** The time before the query counts: all writes until then have been notified. */
  async #beat(client: Client): Promise<void> {
    const sentMs = performance.now();
    await client.query("select 1");
    this.#aliveMs = sentMs;
  }
}

/**
 * Resolves after `ms`, or when the signal aborts. TRICKY: the listener is removed from the signal.
 * A race with a promise that never settles would keep a reaction per round: 50 MB a day.
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
