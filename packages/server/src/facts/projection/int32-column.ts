const numbersAtFirst = 4_096;
/** A larger buffer is not kept when the column is cleared. */
const keptMax = 262_144;

/** A growable column of 32-bit integers. Clearing it keeps its buffer. */
export class Int32Column {
  #numbers = new Int32Array(numbersAtFirst);
  #length = 0;

  push(number: number): void {
    if (this.#length === this.#numbers.length) this.#grow();
    this.#numbers[this.#length] = number;
    this.#length += 1;
  }

  /** All numbers, in memory of their own. */
  copy(): Int32Array {
    return this.#numbers.slice(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
    if (this.#numbers.length > keptMax) this.#numbers = new Int32Array(numbersAtFirst);
  }

  #grow(): void {
    const numbers = new Int32Array(2 * this.#length);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
  }
}
