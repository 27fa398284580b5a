import type { ComparableText } from "./comparable-text.ts";

/** The number of low bits of a unit that are compared. */
const lowBits = 8;
const lowMask = (1 << lowBits) - 1;

/** A longer name counts by its first units. */
const windowMax = 255;

/**
 * Skips positions where no name can begin, several at a time: the last two units of a window as
 * long as the shortest name say how far it must move before they could be in one (Wu and Manber, "A
 * fast algorithm for multi-pattern searching", 1994).
 */
export class NameSkips {
  readonly #shortest: number;
  readonly #window: number;
  /** By the low bits of two units: how many positions to move; 0 when a name may begin here. */
  readonly #skips: Uint8Array;

  /** `names`: their units in compared form. */
  constructor(names: readonly Uint16Array[]) {
    this.#shortest = names.reduce((least, { length }) => Math.min(least, length), windowMax);
    this.#window = Math.max(this.#shortest, 2);
    this.#skips = new Uint8Array(2 ** (2 * lowBits)).fill(this.#window - 1);
    for (const name of names) this.#add(name);
  }

  /**
   * The first position from `from` on at which a name may begin; the text's length when there is
   * none.
   */
  next({ units, length }: ComparableText, from: number): number {
    const [skips, end] = [this.#skips, this.#window - 1];
    const last = length - this.#shortest;
    for (let at = from; at <= last; ) {
      const skip = skips[pairOf(units[at + end - 1] ?? 0, units[at + end] ?? 0)] ?? 0;
      if (skip === 0) return at;
      at += skip;
    }
    return length;
  }

  #add(name: Uint16Array): void {
    const [first = 0] = name;
    // A name of one unit may be followed by anything.
    if (name.length === 1) this.#skips.fill(0, pairOf(first, 0), pairOf(first, lowMask) + 1);
    for (let end = 1; end < Math.min(name.length, this.#window); end += 1) {
      const pair = pairOf(name[end - 1] ?? 0, name[end] ?? 0);
      this.#skips[pair] = Math.min(this.#skips[pair] ?? 0, this.#window - 1 - end);
    }
  }
}

function pairOf(first: number, second: number): number {
  return ((first & lowMask) << lowBits) | (second & lowMask);
}
