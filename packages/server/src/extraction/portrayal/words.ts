import { CharacterBits, characterBits, characterPage } from "../character-table.ts";
import { scratchBuffer } from "../comparable-text.ts";
import { hashStart, hashStep, type Vocabulary } from "./vocabulary.ts";

const { accented, capital, combiningMark, dash, emphasis, ignored, space, unspaced, word } =
  CharacterBits;

/** Signs between words, as ids of tokens: they are below those of words. */
export const Sign = {
  /** A comma or an enumeration's sign. */
  comma: -1,
  /** A dash, a semicolon, a parenthesis, an arrow. */
  pause: -2,
  colon: -3,
  /** A quotation mark. */
  quote: -4,
  /** The end of a sentence. */
  stop: -5,
  /** The end of a question. */
  question: -6,
  /** Where one cell of a table was pasted to the next: `flagshipsSony`. */
  cell: -7,
} as const;

const signs: ReadonlyMap<string, number> = new Map([
  ...Array.from(",、，،", (sign): [string, number] => [sign, Sign.comma]),
  ...Array.from(";；()（）[]「」『』→⇒➜·•|", (sign): [string, number] => [sign, Sign.pause]),
  ...Array.from('"“”„«»', (sign): [string, number] => [sign, Sign.quote]),
  ...Array.from(":：", (sign): [string, number] => [sign, Sign.colon]),
  ...Array.from("!！。", (sign): [string, number] => [sign, Sign.stop]),
  ...Array.from("?？", (sign): [string, number] => [sign, Sign.question]),
]);

const asciiSigns = Int8Array.from({ length: 128 }, (_, code) => {
  return signs.get(String.fromCharCode(code)) ?? 0;
});

/** No word of a table is longer. */
const unitsMax = 40;

/** A place at which an entity is named; UTF-16 offsets into the text, the end exclusive. */
export interface NamedPlace {
  readonly entity: number;
  readonly start: number;
  readonly end: number;
}

/** Where a target of Markdown or a URL in prose ends. */
const urlEnd = /[\s)\]>"】]|$/g;
/** Cells of a table that were pasted without anything between them: `flagshipsSony`. */
const pastedLettersMin = 3;
/** Shorter lines are prose: a word such as `javaScript` makes no table. */
const pastedCharactersMin = 120;
/** So many ways of writing names, of such a length, are looked for in pasted cells. */
const writtenMax = 32;
const writtenCharactersMax = 60;
/** A product's number, and no standard's. */
const productNumber = /^(?!IP|HDR|HDMI|USB|DDR|MP|PM)[A-Z]{1,4}[a-z]{0,3}\d[A-Za-z\d]{0,6}$/;

/** After these a period ends no sentence, whatever follows. */
const abbreviations = new Set("vs eg ie etc approx ca inc no dr mr bzw usw inkl ggf ej".split(" "));

const firstPage = characterPage(0);

function bitsAt(codes: Uint16Array, at: number): number {
  const code = codes[at] ?? 0;
  if (code < 256) return firstPage[code] ?? 0;
  const low = (code & 0xfc00) === 0xd800 ? (codes[at + 1] ?? 0) : 0;
  if ((low & 0xfc00) !== 0xdc00) return characterBits(code);
  return characterBits(((code & 0x3ff) << 10) + (low & 0x3ff) + 0x10000);
}

/** The words and signs of a part of a text, in order. */
export class Tokens {
  /** By token: the id of its word, 0 of one that no table has, or a sign. */
  ids = new Int32Array(256);
  starts = new Int32Array(256);
  ends = new Int32Array(256);
  /** By token: the entity that is named there; -1: none. */
  entities = new Int32Array(256);
  length = 0;
  readonly #units = new Uint16Array(unitsMax);
  readonly #vocabulary: Vocabulary;
  #text = "";
  /** The code units of the text: reading them from the string takes longer. */
  #codes = new Uint16Array();
  readonly #buffer = scratchBuffer((units) => new Uint16Array(units));
  #pasted = false;
  /** Where the next name begins. */
  #nameAt = 0;
  /** Where a pasted cell begins. */
  #cellAt = -1;
  #names: readonly NamedPlace[] = [];
  /** Names as they are written in the text, with their entities; null: nothing was pasted yet. */
  #written: readonly (readonly [string, number])[] | null = null;
  /** Product numbers that stood behind names (`VR2`), by entity; -1: behind several. */
  readonly #products = new Map<string, number>();

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** Begins a text. In cells pasted to others names are found that no word boundary shows. */
  begin(text: string, names: readonly NamedPlace[]): void {
    this.#text = text;
    this.#codes = this.#buffer(text.length).subarray(0, text.length);
    Buffer.from(this.#codes.buffer).write(text, "utf16le");
    this.#products.clear();
    this.#names = names;
    this.#written = null;
  }

  /**
   * Reads [from, to) of the text. `names`: the places in it at which entities are named, ascending
   * and disjoint.
   */
  read(from: number, to: number, names: readonly NamedPlace[]): void {
    this.length = 0;
    this.#cellAt = -1;
    this.#pasted = to - from >= pastedCharactersMin && this.#hasPastedCells(from, to);
    let next = 0;
    for (let at = from; at < to; ) {
      if (this.#codes[at] === 0x20) {
        at += 1;
        continue;
      }
      let place = names[next];
      while (place !== undefined && place.end <= at) place = names[++next];
      if (place !== undefined && place.start <= at) {
        const end = Math.min(place.end, to);
        this.#add(0, at, end, place.entity);
        at = end;
        continue;
      }
      this.#nameAt = place?.start ?? to;
      at = this.#readAt(at, Math.min(to, this.#nameAt));
    }
    // A look one token further finds nothing, in particular nothing of the text before.
    this.#add(0, to, to, -1);
    this.length -= 1;
  }

  #hasPastedCells(from: number, to: number): boolean {
    const codes = this.#codes;
    for (let at = from + pastedLettersMin; at < to - 1; at += 1) {
      if (!isUpper(codes[at] ?? 0) || !isLower(codes[at + 1] ?? 0)) continue;
      let start = at;
      while (start > from && isLower(codes[start - 1] ?? 0)) start -= 1;
      const inside = start > from && isUpper(codes[start - 1] ?? 0);
      if (at - start >= pastedLettersMin && !inside) return true;
    }
    return false;
  }

  /** Reads what begins at `at`; returns where reading continues. */
  #readAt(at: number, to: number): number {
    const codes = this.#codes;
    const bits = bitsAt(codes, at);
    if ((bits & word) !== 0) return this.#word(at, to);
    if ((bits & (space | dash | emphasis | ignored)) !== 0) {
      if ((bits & dash) !== 0 && this.#isPause(at)) this.#add(Sign.pause, at, at + 1, -1);
      return at + 1;
    }
    const code = codes[at] ?? 0;
    if (code === 0x2e) return this.#period(at, to);
    if (code === 0x5d && codes[at + 1] === 0x28) return this.#skipUrl(at + 2, to);
    if (code === 0x3a && this.#text.startsWith("//", at + 1)) return this.#skipUrl(at + 3, to);
    const sign = code < 128 ? asciiSigns[code] : signs.get(this.#text.charAt(at));
    if (sign !== undefined && sign !== 0) this.#add(sign, at, at + 1, -1);
    if (code === 0x29 && this.#pasted && this.#isCapital(at + 1)) this.#cell(at + 1);
    return at + 1;
  }

  /** A link of Markdown ends with its parenthesis, one in prose with a space. */
  #skipUrl(at: number, to: number): number {
    urlEnd.lastIndex = at;
    return Math.min(to, (urlEnd.exec(this.#text)?.index ?? to) + 1);
  }

  #word(start: number, to: number): number {
    const known = start === this.#cellAt ? this.#writtenAt(start) : null;
    if (known !== null) {
      this.#add(0, start, Math.min(to, start + known[0].length), known[1]);
      return Math.min(to, start + known[0].length);
    }
    const codes = this.#codes;
    const mark = this.#sourceMarkEnd(start, to);
    if (mark !== -1) return mark;
    let hash = hashStart;
    let at = start;
    // Most words are of these letters, and nothing more needs to be known of them.
    for (; at < to; at += 1) {
      const code = codes[at] ?? 0;
      if (!isLower(code)) break;
      hash = hashStep(hash, code);
    }
    if (at === to || (bitsAt(codes, at) & (word | capital)) === 0) {
      const id = at - start > unitsMax ? 0 : this.#vocabulary.find(hash, codes, start, at - start);
      this.#add(id, start, at, -1);
      return at;
    }
    return this.#otherWord(start, at, to, hash);
  }

  /** Reads a word on whose letters up to `plain` are small ones of ASCII, with this hash. */
  #otherWord(start: number, plain: number, to: number, plainHash: number): number {
    const codes = this.#codes;
    const units = this.#units;
    let hash = plainHash;
    let length = plain - start;
    let hasDigit = false;
    let at = plain;
    for (let unit = 0; unit < length && unit < unitsMax; unit += 1) {
      units[unit] = codes[start + unit] ?? 0;
    }
    for (; at < to; at += 1) {
      const code = codes[at] ?? 0;
      if (isLower(code)) {
        hash = hashStep(hash, code);
        if (length < unitsMax) units[length] = code;
        length += 1;
        continue;
      }
      const bits = bitsAt(codes, at);
      if ((bits & word) === 0) break;
      if ((bits & unspaced) !== 0 && at > start) break;
      if ((bits & capital) !== 0 && this.#pasted && this.#isGlued(start, at)) break;
      if ((bits & combiningMark) !== 0 && (bits & unspaced) === 0) continue;
      const unit = bits & CharacterBits.unit;
      if (unit <= 0x39) hasDigit = true;
      hash = hashStep(hash, unit);
      if (length < unitsMax) units[length] = unit;
      length += 1;
      if ((code & 0xfc00) === 0xd800) at += 1;
      if ((bits & unspaced) !== 0) {
        at += 1;
        break;
      }
    }
    const end = Math.min(at, to);
    const id = length > unitsMax ? 0 : this.#vocabulary.find(hash, units, 0, length);
    this.#add(id, start, end, id === 0 && hasDigit ? this.#productOf(start, end) : -1);
    if (end < to && this.#pasted && this.#isCapital(end) && this.#isGlued(start, end)) {
      this.#cell(end);
    }
    return Math.max(end, start + 1);
  }

  /** The name that begins at `at`, of those written elsewhere in the text. */
  #writtenAt(at: number): readonly [string, number] | null {
    this.#written ??= this.#writtenNames();
    for (const name of this.#written) {
      if (!this.#text.startsWith(name[0], at)) continue;
      if ((bitsAt(this.#codes, at + name[0].length) & word) === 0) return name;
    }
    return null;
  }

  #writtenNames(): readonly (readonly [string, number])[] {
    const written = new Map<string, number>();
    for (const { entity, start, end } of this.#names) {
      if (end - start <= writtenCharactersMax && written.size < writtenMax) {
        written.set(this.#text.slice(start, end), entity);
      }
    }
    return [...written];
  }

  /** The entity whose product has a number such as `VR2`; -1: it is not such a number. */
  #productOf(start: number, end: number): number {
    if (!isUpper(this.#codes[start] ?? 0)) return -1;
    const text = this.#text.slice(start, end);
    if (!productNumber.test(text)) return -1;
    for (let back = this.length - 1; back >= 0 && back >= this.length - 3; back -= 1) {
      const entity = this.entities[back] ?? -1;
      if (entity >= 0) {
        const known = this.#products.get(text) ?? entity;
        this.#products.set(text, known === entity ? entity : -1);
        return -1;
      }
      if ((this.ids[back] ?? 0) !== 0) break;
    }
    return this.#products.get(text) ?? -1;
  }

  /** Behind a statement stands how many more sources it has: `Tom's Guide+2`. */
  #sourceMarkEnd(start: number, to: number): number {
    const codes = this.#codes;
    if (!isDigit(codes[start] ?? 0) || codes[start - 1] !== 0x2b) return -1;
    if ((bitsAt(codes, start - 2) & word) === 0) return -1;
    let end = start;
    while (end < to && isDigit(codes[end] ?? 0)) end += 1;
    this.#add(Sign.stop, start, end, -1);
    return end;
  }

  /** Whether a capital inside a word begins another cell: `flagshipsSony`, `XM5Excellent`. */
  #isGlued(start: number, at: number): boolean {
    if (at === start) return false;
    const codes = this.#codes;
    const before = codes[at - 1] ?? 0;
    const after = codes[at + 1] ?? 0;
    if (isDigit(before)) return isLower(after) || after === 0x20;
    if (!isLower(before)) return false;
    return this.#writtenAt(at) !== null || (isLower(codes[start] ?? 0) && at - start > 2);
  }

  #isCapital(at: number): boolean {
    return (bitsAt(this.#codes, at) & capital) !== 0;
  }

  #cell(at: number): void {
    this.#cellAt = at;
    this.#add(Sign.cell, at, at, -1);
  }

  /** A dash that stands between words, and not inside one or between numbers. */
  #isPause(at: number): boolean {
    const codes = this.#codes;
    if ((bitsAt(codes, at - 1) & bitsAt(codes, at + 1) & word) === 0) return true;
    return codes[at] === 0x2014;
  }

  #period(at: number, to: number): number {
    const codes = this.#codes;
    const next = at + 1;
    const after = next < to ? (codes[next] ?? 0) : 0x20;
    const ends = after <= 0x20 || after === 0xa0 || after === 0x22 || after === 0x201d;
    if (!ends && after !== 0x29 && after !== 0x2a && after !== 0x5b) {
      if (!this.#pasted || !this.#isCapital(next)) return next;
      this.#add(Sign.stop, at, next, -1);
      this.#cell(next);
      return next;
    }
    const last = this.length - 1;
    const start = this.starts[last] ?? at;
    const end = this.ends[last] ?? at;
    const short = end === at && end - start < 2 && (bitsAt(codes, start) & unspaced) === 0;
    const digit = short && (codes[start] ?? 0) <= 0x39;
    if (short && !digit) return next;
    if (end - start < 7 && abbreviations.has(this.#text.slice(start, end).toLowerCase()))
      return next;
    let ahead = next;
    while (ahead < to && ahead < next + 4 && (bitsAt(codes, ahead) & word) === 0) ahead += 1;
    const bits = bitsAt(codes, ahead);
    const lower = (bits & accented) !== 0 && (bits & capital) === 0;
    // A name may begin with a small letter, and then it is what shows the end.
    if (ahead < to && lower && next + 1 < this.#nameAt) return next;
    this.#add(Sign.stop, at, next, -1);
    return next;
  }

  #add(id: number, start: number, end: number, entity: number): void {
    const at = this.length;
    if (at === this.ids.length) {
      this.ids = doubled(this.ids);
      this.starts = doubled(this.starts);
      this.ends = doubled(this.ends);
      this.entities = doubled(this.entities);
    }
    this.ids[at] = id;
    this.starts[at] = start;
    this.ends[at] = end;
    this.entities[at] = entity;
    this.length = at + 1;
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isLower(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}

function isUpper(code: number): boolean {
  return code >= 0x41 && code <= 0x5a;
}

function doubled(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(2 * numbers.length);
  grown.set(numbers);
  return grown;
}
