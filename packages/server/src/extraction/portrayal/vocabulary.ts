import { CharacterBits, characterBits } from "../character-table.ts";

const { unspaced, word } = CharacterBits;

/** The words that a language's tables have, each with an id from 1. */
export class Vocabulary {
  /** Ids by hash, with open addressing; 0 is free. */
  #slots = new Int32Array(64);
  /** By slot, the hash: of most words that no table has, it says so alone. */
  #hashes = new Int32Array(64);
  readonly #words: Uint16Array[] = [];

  /** Each word, in the form in which words are compared. */
  get words(): Iterable<Uint16Array> {
    return this.#words;
  }

  /** The id of a token of a pattern; a new word is added. */
  idOf(units: Uint16Array): number {
    const hash = units.reduce(hashStep, hashStart);
    const known = this.find(hash, units, units.length);
    if (known !== 0) return known;
    this.#words.push(units.slice());
    if (4 * this.#words.length > this.#slots.length) this.#grow();
    else this.#place(hash, this.#words.length);
    return this.#words.length;
  }

  /** The id of the first `length` units, whose hash is known; 0: no table has the word. */
  find(hash: number, units: Uint16Array, length: number): number {
    const last = this.#slots.length - 1;
    for (let slot = hash & last; ; slot = (slot + 1) & last) {
      const id = this.#slots[slot] ?? 0;
      if (id === 0) return 0;
      if (this.#hashes[slot] === hash && isWord(this.#words[id - 1], units, length)) return id;
    }
  }

  #place(hash: number, id: number): void {
    const last = this.#slots.length - 1;
    let slot = hash & last;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & last;
    this.#slots[slot] = id;
    this.#hashes[slot] = hash;
  }

  #grow(): void {
    this.#slots = new Int32Array(2 * this.#slots.length);
    this.#hashes = new Int32Array(this.#slots.length);
    for (const [index, units] of this.#words.entries()) {
      this.#place(units.reduce(hashStep, hashStart), index + 1);
    }
  }
}

function isWord(known: Uint16Array | undefined, units: Uint16Array, length: number): boolean {
  if (known?.length !== length) return false;
  for (let at = 0; at < length; at += 1) if (known[at] !== units[at]) return false;
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
