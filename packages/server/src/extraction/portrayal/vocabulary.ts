import { CharacterBits, characterBits } from "../character-table.ts";

const { unspaced, word } = CharacterBits;

/** The words that a language's tables have, each with an id from 1. */
export class Vocabulary {
  /**
   * By slot, an id and the hash of its word, with open addressing; id 0 is free. Of most words that
   * no table has, the hash says so alone. Both are in one array, and so in one line of the
   * processor's cache.
   */
  #slots = new Int32Array(128);
  readonly #words: Uint16Array[] = [];

  /** Each word, in the form in which words are compared. */
  get words(): Iterable<Uint16Array> {
    return this.#words;
  }

  /** The id of a token of a pattern; a new word is added. */
  idOf(units: Uint16Array): number {
    const hash = units.reduce(hashStep, hashStart);
    const known = this.find(hash, units, 0, units.length);
    if (known !== 0) return known;
    this.#words.push(units.slice());
    if (8 * this.#words.length > this.#slots.length) this.#grow();
    else this.#place(hash, this.#words.length);
    return this.#words.length;
  }

  /** The id of `length` units, whose hash is known; 0: no table has the word. */
  find(hash: number, units: Uint16Array, from: number, length: number): number {
    const slots = this.#slots;
    const last = slots.length - 1;
    for (let slot = (hash << 1) & last; ; slot = (slot + 2) & last) {
      const id = slots[slot] ?? 0;
      if (id === 0) return 0;
      if (slots[slot + 1] !== hash) continue;
      const word = this.#words[id - 1];
      if (word?.length === length && isAt(word, units, from)) return id;
    }
  }

  #place(hash: number, id: number): void {
    const last = this.#slots.length - 1;
    let slot = (hash << 1) & last;
    while (this.#slots[slot] !== 0) slot = (slot + 2) & last;
    this.#slots[slot] = id;
    this.#slots[slot + 1] = hash;
  }

  #grow(): void {
    this.#slots = new Int32Array(2 * this.#slots.length);
    for (const [index, units] of this.#words.entries()) {
      this.#place(units.reduce(hashStep, hashStart), index + 1);
    }
  }
}

function isAt(word: Uint16Array, units: Uint16Array, from: number): boolean {
  for (let at = 0; at < word.length; at += 1) if (word[at] !== units[from + at]) return false;
  return true;
}

/** The hash of no units (FNV-1a). */
export const hashStart = 0x811c9dc5 | 0;

/** The hash of a word with one more unit. */
export function hashStep(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/** The words of a pattern of a table, in the form in which words of texts are compared. */
export function unitsOfWords(pattern: string): readonly Uint16Array[] {
  const found: Uint16Array[] = [];
  let units: number[] = [];
  const end = () => {
    if (units.length > 0) found.push(Uint16Array.from(units));
    units = [];
  };
  for (const character of pattern) {
    const bits = characterBits(character.codePointAt(0) ?? 0);
    if ((bits & word) === 0 || (bits & unspaced) !== 0) end();
    if ((bits & word) === 0) continue;
    units.push(bits & CharacterBits.unit);
    if ((bits & unspaced) !== 0) end();
  }
  end();
  return found;
}
