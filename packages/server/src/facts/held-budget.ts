/** What is held and can be let go of. */
export interface Forgettable {
  readonly forget: () => void;
}

/** Who was asked within this time keeps its memory when another wants to begin holding. */
const keptMs = 60_000;

/**
 * Whoever was asked within this time takes in what a batch adds before it counts: a dashboard asks
 * for the same things every few seconds, and should not be the one who waits.
 */
const followedMs = 10_000;

interface Use {
  readonly bytes: number;
  readonly atMs: number;
}

/** Shares memory among accounts: whoever was asked longest ago is let go of first. */
export class HeldBudget {
  /** Of all together. */
  readonly bytesMax: number;
  /** Rises by itself: it is not the time of day. */
  readonly nowMs: () => number;
  /** The last asked at the end. */
  readonly #uses = new Map<Forgettable, Use>();

  constructor(bytesMax: number, nowMs: () => number = () => performance.now()) {
    this.bytesMax = bytesMax;
    this.nowMs = nowMs;
  }

  /** Notes that `held` was asked just now and holds so much; others may be let go of. */
  use(held: Forgettable, bytes: number): void {
    this.#uses.delete(held);
    this.#uses.set(held, { bytes, atMs: this.nowMs() });
    let sum = 0;
    for (const each of this.#uses.values()) sum += each.bytes;
    for (const [other, own] of this.#uses) {
      if (sum <= this.bytesMax || other === held) break;
      this.drop(other);
      other.forget();
      sum -= own.bytes;
    }
  }

  /**
   * Whether `held` may hold so much beside all others that were asked of late. Who reads for long
   * before holding asks first, or many accounts would push each other out in turns.
   */
  hasRoom(held: Forgettable, bytes: number): boolean {
    const since = this.nowMs() - keptMs;
    let sum = bytes;
    for (const [other, { atMs, bytes: own }] of this.#uses) {
      if (other !== held && atMs >= since) sum += own;
    }
    return sum <= this.bytesMax;
  }

  /** Whether who was asked then should take in what a batch adds before it counts. */
  isFollowed(askedMs: number): boolean {
    return this.nowMs() - askedMs < followedMs;
  }

  /** Notes that nothing is held any more. */
  drop(held: Forgettable): void {
    this.#uses.delete(held);
  }
}
