import { ServiceError } from "../platform/service-error.ts";

/** The most bytes of replies that are made and not yet taken by their clients. */
export interface PendingReplyLimits {
  readonly bytes: number;
  /** Of one account: what is left goes to the others. */
  readonly bytesPerAccount: number;
}

/** Several of the largest replies at a time; a process has some 200 MB without them. */
export const pendingReplyLimits: PendingReplyLimits = {
  bytes: 100_000_000,
  bytesPerAccount: 50_000_000,
};

const repliesDetail =
  "Too many bytes of replies are waiting to be read. Read replies as they arrive, send fewer " +
  "concurrent requests, or use a shorter range.";

/** Smaller replies are not counted: the rate limit and the connections bound them. */
export const countedBytesMin = 65_536;

/** A reply, or in its place what it will take at most. */
interface InMemory {
  readonly length: number;
}

interface Held {
  /** By so many: each gives it back. */
  times: number;
}

/**
 * Bounds the memory of replies that are being made or sent: a client that asks for large replies
 * and reads none of them must not take the memory of the others. A reply that goes to several
 * clients is in memory, and counted, once.
 */
export class PendingReplyBytes {
  readonly #limits: PendingReplyLimits;
  readonly #detail: string;
  readonly #held = new Map<InMemory, Held>();
  readonly #accounts = new Map<string, number>();
  #bytes = 0;

  /** @param detail what a caller is told who has too much under way. */
  constructor(limits: PendingReplyLimits = pendingReplyLimits, detail = repliesDetail) {
    this.#limits = limits;
    this.#detail = detail;
  }

  /** Bytes of all replies under way. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Counts a reply until the function that it returns is called; further calls of that do nothing.
   * @throws ServiceError overloaded when the account, or all accounts together, have too much.
   */
  hold(accountId: string, reply: InMemory): () => void {
    const bytes = reply.length;
    if (bytes < countedBytesMin) return () => undefined;
    const held = this.#held.get(reply) ?? this.#add(accountId, bytes);
    held.times++;
    this.#held.set(reply, held);
    let isHeld = true;
    return () => {
      if (isHeld && --held.times === 0) {
        this.#held.delete(reply);
        this.#count(accountId, -bytes);
      }
      isHeld = false;
    };
  }

  #add(accountId: string, bytes: number): Held {
    const own = (this.#accounts.get(accountId) ?? 0) + bytes;
    if (own > this.#limits.bytesPerAccount || this.#bytes + bytes > this.#limits.bytes) {
      throw new ServiceError("overloaded", this.#detail, { headers: { "Retry-After": "1" } });
    }
    this.#count(accountId, bytes);
    return { times: 0 };
  }

  #count(accountId: string, bytes: number): void {
    const own = (this.#accounts.get(accountId) ?? 0) + bytes;
    if (own > 0) this.#accounts.set(accountId, own);
    else this.#accounts.delete(accountId);
    this.#bytes += bytes;
  }
}
