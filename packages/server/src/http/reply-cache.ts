import type { Counter, Gauge } from "prom-client";

/** Where the cache counts. */
export interface ReplyCacheMetrics {
  readonly replyCache: Counter<"result">;
  readonly replyCacheBytes: Gauge;
}

/** A reply that is being made, and how many wait for it. */
interface Flight {
  readonly controller: AbortController;
  readonly made: Promise<Buffer>;
  waiting: number;
}

interface Kept {
  readonly reply: Buffer;
  /** Since it was kept, or since it was last spared. */
  isUsed: boolean;
}

/** A reply larger than this share of the cache would push out too many others. */
const largestShare = 0.25;
/** Approximate overhead of an entry, in bytes. */
const entryBytes = 200;

/**
 * Replies by question. Entries not used recently are evicted first, and identical concurrent
 * questions are coalesced. Keys contain the version of the facts, so no entry goes stale.
 */
export class ReplyCache {
  readonly #bytesMax: number;
  readonly #metrics: ReplyCacheMetrics;
  /** An entry used since it was last examined moves to the end (the clock algorithm). */
  readonly #kept = new Map<string, Kept>();
  readonly #flights = new Map<string, Flight>();
  #bytes = 0;

  /** @param bytesMax `off`: every question is worked for by itself, and nothing is kept. */
  constructor(bytesMax: number | "off", metrics: ReplyCacheMetrics) {
    this.#bytesMax = bytesMax === "off" ? 0 : bytesMax;
    this.#metrics = metrics;
  }

  /**
   * The reply under a key, or what `make` makes. Its signal aborts when nobody waits any more.
   * @throws the signal's reason when it aborts; else what `make` throws, to all who wait for it.
   */
  async reply(
    key: string,
    signal: AbortSignal,
    make: (signal: AbortSignal) => Promise<Buffer>,
  ): Promise<Buffer> {
    if (this.#bytesMax === 0) return make(signal);
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      kept.isUsed = true;
      this.#metrics.replyCache.inc({ result: "hit" });
      return kept.reply;
    }
    const flight = this.#flights.get(key);
    this.#metrics.replyCache.inc({ result: flight === undefined ? "miss" : "joined" });
    return this.#wait(key, flight ?? this.#start(key, make), signal);
  }

  #start(key: string, make: (signal: AbortSignal) => Promise<Buffer>): Flight {
    const controller = new AbortController();
    const made = make(controller.signal);
    const flight = { controller, made, waiting: 0 };
    this.#flights.set(key, flight);
    const end = () => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    };
    made.then((reply) => {
      end();
      this.#keep(key, reply);
    }, end);
    return flight;
  }

  #wait(key: string, flight: Flight, signal: AbortSignal): Promise<Buffer> {
    flight.waiting++;
    return new Promise((resolve, reject) => {
      const leave = () => {
        flight.waiting--;
        if (flight.waiting === 0) {
          if (this.#flights.get(key) === flight) this.#flights.delete(key);
          flight.controller.abort(signal.reason);
        }
        reject(signal.reason);
      };
      if (signal.aborted) return leave();
      signal.addEventListener("abort", leave, { once: true });
      const stay = () => signal.removeEventListener("abort", leave);
      flight.made.then(
        (reply) => {
          stay();
          resolve(reply);
        },
        (error: unknown) => {
          stay();
          reject(error);
        },
      );
    });
  }

  #keep(key: string, reply: Buffer): void {
    const size = sizeOf(key, reply);
    if (size > this.#bytesMax * largestShare || this.#kept.has(key)) return;
    this.#bytes += size;
    for (const [oldest, kept] of this.#kept) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#kept.delete(oldest);
      if (kept.isUsed) this.#kept.set(oldest, { ...kept, isUsed: false });
      else this.#bytes -= sizeOf(oldest, kept.reply);
    }
    this.#kept.set(key, { reply, isUsed: false }); // last: it must not make room for itself
    this.#metrics.replyCacheBytes.set(this.#bytes);
  }
}

function sizeOf(key: string, reply: Buffer): number {
  return key.length + reply.length + entryBytes;
}
