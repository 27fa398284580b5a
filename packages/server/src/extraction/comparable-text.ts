import { CharacterBits, characterBits, characterPage } from "./character-table.ts";
import {
  composeEdits,
  composeText,
  decodeEntities,
  type EditTrace,
  entityEdits,
  type TextSpan,
  traceOf,
} from "./text-edits.ts";

/** Returns a buffer for this many numbers. Its previous contents may be lost. */
type Allocate<Numbers> = (length: number) => Numbers;

/** Longer texts get their own buffer. */
const keptMax = 65_536;

/** A reused buffer: its contents are valid until the next request for it. */
export function scratchBuffer<Numbers extends { readonly length: number }>(
  make: Allocate<Numbers>,
): Allocate<Numbers> {
  let kept: Numbers | null = null;
  return (length) => {
    if (length > keptMax) return make(length);
    if (kept === null || kept.length < length) kept = make(Math.min(2 * length, keptMax));
    return kept;
  };
}

/** A text in the form that is compared. */
export interface ComparableText {
  /**
   * By UTF-16 code unit, the `CharacterBits` of its character, with the unit itself in the low
   * bits.
   */
  readonly units: Int32Array;
  /** The number of valid units. */
  readonly length: number;
  /** By unit, the position of its character in the composed text; null when not requested. */
  readonly origins: Int32Array | null;
}

const codesBuffer = scratchBuffer((codes) => new Uint16Array(codes));

/**
 * A text's code units, valid until the next text: reading them from the string takes far longer.
 */
function codesOf(text: string): Uint16Array {
  const codes = codesBuffer(text.length).subarray(0, text.length);
  Buffer.from(codes.buffer).write(text, "utf16le");
  return codes;
}

const { accented, combiningMark, dash, emphasis, ignored, lineBreak, space, unit, word } =
  CharacterBits;

/** Marks the end of a paragraph; no name contains it. */
const paragraphBreak = 0x2029;

/** A space as it is written. */
const ordinarySpace = space | 0x20;

/** Characters that the loop over ordinary characters does not handle. */
const special = ignored | space | emphasis | combiningMark;

/**
 * Brings a text without links, or a name, into the form in which they are compared: HTML entities
 * decoded, NFKC, accents folded, quotes straightened, invisible characters and emphasis marks
 * dropped, runs of spaces and dashes as one space. The end of a paragraph or a list item is one
 * character that no name contains.
 */
export function comparableText(prose: string): ComparableText {
  const text = composeText(decodeEntities(prose));
  return compared(text, new Writer(new Int32Array(text.length), null));
}

/** A text in compared form, whose units can be traced back to it. */
interface TracedText {
  readonly comparable: ComparableText;
  /** The position in the text, which is not empty, of a range of units. */
  readonly spanOf: EditTrace;
}

const tracedUnits = scratchBuffer((units) => new Int32Array(units));
const tracedOrigins = scratchBuffer((units) => new Int32Array(units));

/**
 * Like `comparableText`, with the positions in the prose that the units come from; valid until the
 * next text. How the prose was edited is found out for the first position: most texts name nobody.
 */
export function tracedText(prose: string): TracedText {
  const decoded = decodeEntities(prose);
  const text = composeText(decoded);
  const origins = tracedOrigins(text.length);
  const comparable = compared(text, new Writer(tracedUnits(text.length), origins));
  let trace: EditTrace | null = null;
  const spanOf = ({ start, end }: TextSpan) => {
    trace ??= tracedBack(prose, decoded, text);
    const last = origins[end - 1] ?? 0;
    const width = (text.codePointAt(last) ?? 0) > 0xffff ? 2 : 1;
    return trace({ start: origins[start] ?? 0, end: last + width });
  };
  return { comparable, spanOf };
}

/** Maps ranges of a composed text back to the prose that it was made from. */
function tracedBack(prose: string, decoded: string, text: string): EditTrace {
  const inDecoded = decoded === text ? unedited : traceOf(composeEdits(decoded));
  const inProse = prose === decoded ? unedited : traceOf(entityEdits(prose));
  return (span) => inProse(inDecoded(span));
}

const unedited: EditTrace = (span) => span;

function compared(text: string, writer: Writer): ComparableText {
  const codes = codesOf(text);
  let page = characterPage(0);
  let pageIndex = 0;
  for (let at = 0; at < codes.length; at += 1) {
    let codePoint = codes[at] ?? 0;
    writer.at = at;
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
    } else if ((bits & combiningMark) !== 0) {
      writer.writeMark(bits, codePoint);
    } else if ((bits & emphasis) !== 0) {
      at = readEmphasis(text, at, writer);
    }
  }
  return writer;
}

/** The `CharacterBits` of 256 code points, and which ones. */
interface Page {
  readonly page: Int32Array;
  readonly pageIndex: number;
}

class Writer implements ComparableText {
  /**
   * TRICKY: a garbage collection that finds no living writer drops the layout of the class, and
   * with it everything that V8 compiled for it.
   */
  static readonly alive = new Writer(new Int32Array(), null);

  readonly units: Int32Array;
  readonly origins: Int32Array | null;
  length = 0;
  /** The position of the current character. */
  at = 0;
  /** The bits of the last character written. */
  last = 0;
  /** Whether a space must precede the next character. */
  spaceDue = false;
  #breaksDue = 0;

  constructor(units: Int32Array, origins: Int32Array | null) {
    this.units = units;
    this.origins = origins;
  }

  write(bits: number, codePoint: number): void {
    if (this.spaceDue) this.#writeSpace();
    this.origins?.fill(this.at, this.length, this.length + (codePoint > 0xffff ? 2 : 1));
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
   * Writes the ordinary characters of one page after the last one, and the single spaces between
   * them: most of most texts. Returns the index after them.
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
    this.#traceRun(from, length);
    this.length = length;
    this.last = units[length - 1] ?? 0;
    return at;
  }

  /** Records where the units up to `length` come from: consecutive characters. */
  #traceRun(from: number, length: number): void {
    if (this.origins === null) return;
    for (let unit = this.length; unit < length; unit += 1) {
      this.origins[unit] = from + unit - this.length;
    }
  }

  /**
   * An accent is dropped; a mark of another script belongs to its letter; a mark without a letter
   * belongs to no word.
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
    // A dash at the beginning of a line makes a list item, so the text before it is another phrase.
    else if ((bits & dash) !== 0 && this.#breaksDue > 0) this.#breaksDue += 1;
  }

  #writeSpace(): void {
    this.units[this.length] = this.#breaksDue > 1 ? space | paragraphBreak : ordinarySpace;
    this.length += 1;
    this.spaceDue = false;
    this.#breaksDue = 0;
  }
}

/** Two tildes, of a run of emphasis marks and invisible characters. */
const struck = /~[^*_`~]*~/;

/**
 * Reads the run of emphasis marks that starts at `at`, and returns its last index. The run is
 * dropped, except between spaces (a bullet, a product) and, if it is only `_`, a single `~` or
 * backticks, inside a word (`snake_case`), where CommonMark does not read it as emphasis either.
 */
function readEmphasis(text: string, at: number, writer: Writer): number {
  const end = emphasisEnd(text, at);
  const next = end < text.length ? characterBits(text.codePointAt(end) ?? 0) : space;
  const afterSpace = writer.spaceDue || writer.length === 0;
  const isBullet = afterSpace && (next & space) !== 0;
  const insideWord = !afterSpace && (writer.last & next & word) !== 0;
  if (!isBullet && !insideWord) return end - 1;
  const run = text.slice(at, end);
  if (!isBullet && (run.includes("*") || struck.test(run))) return end - 1;
  for (let place = at; place < end; place += 1) {
    const mark = text.charCodeAt(place);
    if ((characterBits(mark) & emphasis) === 0) continue;
    writer.at = place;
    writer.write(mark, mark);
  }
  return end - 1;
}

/** The end of a run of emphasis marks. Invisible characters in and after it change nothing. */
function emphasisEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length) {
    const codePoint = text.codePointAt(end) ?? 0;
    if ((characterBits(codePoint) & (emphasis | ignored)) === 0) break;
    end += codePoint > 0xffff ? 2 : 1;
  }
  return end;
}

/**
 * A name in the form that is compared with texts, in any case: two names with the same form cannot
 * be distinguished in a text. Do not display it: it may end in half a character.
 */
export function comparableName(name: string): string {
  const { units, length } = comparableText(name);
  const letters = Array.from(units.subarray(0, length), (bits) =>
    String.fromCharCode(bits & CharacterBits.unit),
  );
  return letters.join("").trim();
}
