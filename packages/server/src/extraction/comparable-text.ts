import { CharacterBits, characterBits, characterPage } from "./character-table.ts";
import { composeText } from "./compose-text.ts";
import { decodeEntities } from "./decode-entities.ts";
import { type Room, reusedRoom } from "./room.ts";

/** A text as it is compared. */
export interface ComparableText {
  /**
   * By UTF-16 code unit, the `CharacterBits` of its character, with the unit itself in the low
   * bits.
   */
  readonly units: Int32Array;
  /** How many of the units count. */
  readonly length: number;
}

const ownRoom: Room<Int32Array> = (units) => new Int32Array(units);

const codesRoom = reusedRoom((codes) => new Uint16Array(codes));

/** A text's code units, good until the next text: asking the string for each takes far longer. */
function codesOf(text: string): Uint16Array {
  const codes = codesRoom(text.length).subarray(0, text.length);
  Buffer.from(codes.buffer).write(text, "utf16le");
  return codes;
}

const { accented, dash, emphasis, ignored, lineBreak, mark, space, unit, word } = CharacterBits;

/** What stands for a paragraph's end; no name contains it. */
const paragraphBreak = 0x2029;

/** A space as it is written. */
const ordinarySpace = space | 0x20;

/** What the loop over ordinary characters leaves to others. */
const special = ignored | space | emphasis | mark;

/**
 * Brings a text, from which links are already cut, or a name into the form in which they are
 * compared: HTML entities decoded, NFKC, accents folded, quotes straightened, invisible characters
 * and emphasis marks dropped, runs of spaces and dashes as one space. A paragraph's end or
 * a list item stands as one character that no name contains. The units are written into `room`.
 */
export function comparableText(prose: string, room = ownRoom): ComparableText {
  const text = composeText(decodeEntities(prose));
  const codes = codesOf(text);
  const writer = new Writer(room(text.length));
  let page = characterPage(0);
  let pageIndex = 0;
  for (let at = 0; at < codes.length; at += 1) {
    let codePoint = codes[at] ?? 0;
    if ((codePoint & 0xfc00) === 0xd800) {
      codePoint = text.codePointAt(at) ?? 0;
      at += 1;
    }
    if (codePoint >> 8 !== pageIndex) {
      pageIndex = codePoint >> 8;
      page = characterPage(pageIndex);
    }
    const bits = page[codePoint & 0xff] ?? 0;
    if ((bits & special) === 0) {
      writer.write(bits, codePoint);
      if (codePoint <= 0xffff) at = writer.writeRun(codes, at + 1, { page, pageIndex }) - 1;
    } else if ((bits & space) !== 0) {
      writer.noteSpace(bits, codePoint);
    } else if ((bits & mark) !== 0) {
      writer.writeMark(bits, codePoint);
    } else if ((bits & emphasis) !== 0) {
      at = readEmphasis(text, at, writer);
    }
  }
  return writer;
}

/** The `CharacterBits` of 256 code points, and which they are. */
interface Page {
  readonly page: Int32Array;
  readonly pageIndex: number;
}

class Writer implements ComparableText {
  /**
   * TRICKY: a collection of the heap that finds no writer alive drops the layout of the class, and
   * with it all that V8 compiled for it.
   */
  static readonly alive = new Writer(new Int32Array());

  readonly units: Int32Array;
  length = 0;
  /** The bits of the last character written. */
  last = 0;
  /** Whether a space is due before the next character. */
  spaceDue = false;
  #breaksDue = 0;

  constructor(units: Int32Array) {
    this.units = units;
  }

  write(bits: number, codePoint: number): void {
    if (this.spaceDue) this.#writeSpace();
    if (codePoint > 0xffff) {
      const folded = (codePoint & ~unit) | (bits & unit);
      const others = bits & ~unit;
      this.units[this.length] = others | (0xd7c0 + (folded >> 10));
      this.units[this.length + 1] = others | (0xdc00 + (folded & 0x3ff));
      this.length += 2;
    } else {
      this.units[this.length] = bits;
      this.length += 1;
    }
    this.last = bits;
  }

  /**
   * Writes the ordinary characters of one page that follow the last one, and the single spaces
   * between them: most of most texts. Gives the index behind them.
   */
  writeRun(codes: Uint16Array, from: number, { page, pageIndex }: Page): number {
    const { units } = this;
    let { length } = this;
    let at = from;
    for (; at < codes.length; at += 1) {
      const code = codes[at] ?? 0;
      let bits = page[code & 0xff] ?? 0;
      if (code >> 8 !== pageIndex || (bits & special) !== 0) {
        if (code !== 0x20 || at + 1 === codes.length) break;
        const next = codes[at + 1] ?? 0;
        if (next >> 8 !== pageIndex || ((page[next & 0xff] ?? 0) & special) !== 0) break;
        bits = ordinarySpace;
      }
      units[length] = bits;
      length += 1;
    }
    this.length = length;
    this.last = units[length - 1] ?? 0;
    return at;
  }

  /**
   * An accent is dropped; a mark of another script belongs to its letter; one that follows no
   * letter to no word.
   */
  writeMark(bits: number, codePoint: number): void {
    if (!this.spaceDue && (this.last & accented) !== 0) return;
    const followsWord = !this.spaceDue && (this.last & word) !== 0;
    this.write(followsWord ? bits : bits & unit, codePoint);
  }

  noteSpace(bits: number, codePoint: number): void {
    this.spaceDue = true;
    if (codePoint === paragraphBreak) this.#breaksDue += 2;
    else if ((bits & lineBreak) !== 0) this.#breaksDue += 1;
    // A dash that begins a line makes a list item: what stands before it is another phrase.
    else if ((bits & dash) !== 0 && this.#breaksDue > 0) this.#breaksDue += 1;
  }

  #writeSpace(): void {
    this.units[this.length] = this.#breaksDue > 1 ? space | paragraphBreak : ordinarySpace;
    this.length += 1;
    this.spaceDue = false;
    this.#breaksDue = 0;
  }
}

/**
 * Reads the run of emphasis marks that starts at `at`, and gives its last index. It is dropped,
 * save between spaces (a bullet, a product), and, where it is only `_`, a single `~` or backticks,
 * inside a word (`snake_case`), where CommonMark does not read them as emphasis either.
 */
function readEmphasis(text: string, at: number, writer: Writer): number {
  let end = at + 1;
  while (end < text.length && "*_`~".includes(text.charAt(end))) end += 1;
  const next = end < text.length ? characterBits(text.codePointAt(end) ?? 0) : space;
  const afterSpace = writer.spaceDue || writer.length === 0;
  const isBullet = afterSpace && (next & space) !== 0;
  const insideWord = !afterSpace && (writer.last & next & word) !== 0;
  if (!isBullet && !insideWord) return end - 1;
  const run = text.slice(at, end);
  if (isBullet || (!run.includes("*") && !run.includes("~~"))) {
    for (const character of Buffer.from(run, "latin1")) writer.write(character, character);
  }
  return end - 1;
}
