/** Rates of few answers are few numbers: a table of so many texts has nearly all of them. */
const placesBits = 12;

/** The texts of numbers, as JSON has them; those seen last are kept: to make one takes long. */
export class NumberTexts {
  readonly #numbers = new Float64Array(2 ** placesBits);
  readonly #texts: string[] = new Array(2 ** placesBits).fill("0");
  /** The halves of a number's bits. */
  readonly #number = new Float64Array(1);
  readonly #halves = new Int32Array(this.#number.buffer);

  /** Of a finite number. */
  of(number: number): string {
    this.#number[0] = number;
    const bits = (this.#halves[0] ?? 0) ^ (this.#halves[1] ?? 0);
    const place = Math.imul(bits, 0x9e3779b1) >>> (32 - placesBits);
    if (this.#numbers[place] === number) return this.#texts[place] ?? "";
    const text = String(number);
    this.#numbers[place] = number;
    this.#texts[place] = text;
    return text;
  }
}
