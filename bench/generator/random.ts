/**
 * A seeded stream of numbers (sfc32): the same seed gives the same stream on every machine. Its
 * period is long enough for the largest workload.
 */
export class Random {
  #a = 0x9e3779b9;
  #b: number;
  #c = 0x243f6a88;
  #counter = 1;

  constructor(seed: number) {
    this.#b = seed | 0;
    for (let round = 0; round < warmUpRounds; round++) this.next();
  }

  /** The next number, from 0 (included) to 1 (not included). */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 0x1_0000_0000;
  }

  /** An integer from 0 (included) to `count` (not included), all equally likely. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  /**
   * An integer from 0 to `count` (not included), number n with a weight of 1 / (n + shift): Zipf's
   * law, whose head is the flatter the larger the shift.
   */
  skewed(count: number, shift: number): number {
    return Math.floor(shift * ((count + shift) / shift) ** this.next() - shift);
  }
}

/** Seeds that differ in one bit give streams that look alike until then. */
const warmUpRounds = 15;
