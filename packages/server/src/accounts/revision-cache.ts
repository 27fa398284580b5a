/** Something of an account's workspace that is kept as JSON. */
interface Json {
  readonly json: Uint8Array;
}

/**
 * The most bytes of JSON that a cache keeps, of all accounts: a workspace of 100,000 prompts and
 * those of a hundred accounts of a usual size. The other values take about twice as much.
 */
const keptBytesMax = 32 * 1024 * 1024;

interface Kept<Made> {
  readonly revision: number | null;
  readonly made: Promise<Made>;
  /** Zero while it is made. */
  bytes: number;
}

/**
 * What follows from one revision of an account's workspace. It is made once for a revision, however
 * many ask for it at the same time; the least recently used is evicted first.
 */
export class RevisionCache<Made extends Json> {
  readonly #make: (accountId: string) => Promise<Made>;
  readonly #bytesMax: number;
  /** By account, the least recently used first. */
  readonly #kept = new Map<string, Kept<Made>>();

  constructor(make: (accountId: string) => Promise<Made>, bytesMax: number = keptBytesMax) {
    this.#make = make;
    this.#bytesMax = bytesMax;
  }

  /** Of this revision of the account's workspace, or of a later one. */
  of(accountId: string, revision: number | null): Promise<Made> {
    const known = this.#kept.get(accountId);
    const kept = known?.revision === revision ? known : this.#begin(accountId, revision);
    this.#kept.delete(accountId);
    this.#kept.set(accountId, kept);
    return kept.made;
  }

  #begin(accountId: string, revision: number | null): Kept<Made> {
    const made = this.#make(accountId);
    const kept = { revision, made, bytes: 0 };
    made.then(
      ({ json }) => {
        kept.bytes = json.length;
        this.#evict();
      },
      () => {
        if (this.#kept.get(accountId) === kept) this.#kept.delete(accountId);
      },
    );
    return kept;
  }

  /** The last one stays, however large: else each call would make it again. */
  #evict(): void {
    let bytes = 0;
    for (const kept of this.#kept.values()) bytes += kept.bytes;
    for (const [accountId, kept] of this.#kept) {
      if (bytes <= this.#bytesMax || this.#kept.size === 1) return;
      this.#kept.delete(accountId);
      bytes -= kept.bytes;
    }
  }
}
