import { CharacterBits, characterPage } from "../character-table.ts";

const { word, accented, capital, unit, ignored, combiningMark } = CharacterBits;

/** What a token is, as bits. */
export const TokenBits = {
  /** It begins with a capital, or is written like `eBay`. */
  name: 1,
  /** It has a digit: a model, a price or a year. */
  digits: 2,
  /** `'s` follows it. */
  possessive: 4,
  /** Of a script without capitals. */
  uncased: 8,
  /** It is the first of a line or of a cell of a table. */
  lineStart: 16,
  /** It is the first of a sentence or of what follows a colon or a dash. */
  sentenceStart: 32,
  /** The word before is a token, and a space or an ampersand lies between them. */
  joined: 64,
  /** It follows the token before without a space, as cells do where a page was copied. */
  glued: 128,
} as const;

/** A word that begins in lower case and goes on with a capital after this many letters is two. */
const gluedLettersMin = 4;
/** More of a text is not read for names. */
const tokensMax = 20_000;

/**
 * The words of a text by how they are written, as numbers without case and accents, each once. A
 * word may be in both.
 */
export interface WordsRead {
  readonly lower: readonly number[];
  readonly capital: readonly number[];
}

/** The numbers of the words of a name, as WordsRead has them. */
export function wordsOfName(name: string): readonly number[] {
  const words = name.split(" ").map((word) => word.replace(/['’]s$/, ""));
  return words.filter((word) => /[\p{L}\p{N}]/u.test(word)).map((word) => NameTokens.hashOf(word));
}

/**
 * The words of a text that may belong to a name, and which words stand in it in lower case. One is
 * used for all texts: its memory is used again.
 */
export class NameTokens {
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly bits: number[] = [];
  /** Of each token without case and accents. */
  readonly hashes: number[] = [];
  readonly #lower = new Set<number>();
  #text = "";
  #pending = TokenBits.lineStart as number;
  #lastEnd = 0;
  /** Whether the word that ends there is a token. */
  #isLastKept = false;
  /** Up to here no link's target ends. */
  #openTo = 0;

  /** A word as it is compared here: without case and accents, and without signs. */
  static hashOf(text: string): number {
    return hashOf(text, 0, text.length);
  }

  /** Whether a word stands in the text in lower case. */
  hasLower(hash: number): boolean {
    return this.#lower.has(hash);
  }

  /** The words of the text. */
  words(): WordsRead {
    const capital = new Set<number>();
    for (const [at, hash] of this.hashes.entries()) {
      if (((this.bits[at] ?? 0) & TokenBits.name) !== 0) capital.add(hash);
    }
    return { lower: [...this.#lower], capital: [...capital] };
  }

  /** Reads a text. Each character is looked at a bounded number of times. */
  read(text: string): void {
    for (const list of [this.starts, this.ends, this.bits, this.hashes]) list.length = 0;
    this.#lower.clear();
    this.#text = text;
    this.#pending = TokenBits.lineStart;
    this.#lastEnd = 0;
    this.#isLastKept = false;
    this.#openTo = 0;
    let at = 0;
    while (at < text.length && this.starts.length < tokensMax) {
      if ((bitsAt(text, at) & word) !== 0) at = this.#readWord(at);
      else at = this.#readSign(at);
    }
  }

  #readSign(at: number): number {
    const text = this.#text;
    const code = text.charCodeAt(at);
    if (lineSigns.has(code)) this.#pending = TokenBits.lineStart;
    else if (sentenceSigns.has(code)) this.#pending ||= TokenBits.sentenceStart;
    if (code === 0x3a && text.startsWith("//", at + 1)) return afterAddress(text, at);
    if (code === 0x5d && text.charCodeAt(at + 1) === 0x28) return this.#afterTarget(at + 2);
    return at + 1;
  }

  /** The end of a link's target; `from` where it has none. */
  #afterTarget(from: number): number {
    const text = this.#text;
    let at = Math.max(from, this.#openTo);
    while (at < text.length && !targetEnds.has(text.charCodeAt(at))) at += 1;
    this.#openTo = at;
    return at < text.length && text.charCodeAt(at) === 0x29 ? at + 1 : from;
  }

  /** Reads letters and digits, with what joins them inside a word. */
  #readWord(start: number): number {
    const text = this.#text;
    let at = start;
    let begin = start;
    let [hash, seen, letters, lowers] = [hashStart, 0, 0, 0];
    while (at < text.length) {
      const bits = bitsAt(text, at);
      if ((bits & word) === 0) {
        if ((bits & ignored) === 0 && !isJoiner(text, at)) break;
        at += 1;
        continue;
      }
      const code = text.charCodeAt(at);
      const isDigit = code >= 0x30 && code <= 0x39;
      const isCapital = (bits & capital) !== 0;
      const isUncased = !isDigit && (bits & (accented | combiningMark)) === 0;
      if (
        begin < at &&
        isUncased !== ((seen & seenUncased) !== 0) &&
        (bits & combiningMark) === 0
      ) {
        // Scripts without spaces between words stand next to Latin names.
        if (!isDigit) {
          this.#push(begin, at, seen, hash);
          [begin, hash, seen, letters, lowers] = [at, hashStart, 0, 0, 0];
        }
      }
      const isCell = isCapital && begin < at && this.#isGlue(begin, at, lowers, seen);
      if (isCell) {
        this.#push(begin, at, seen, hash);
        this.#pending = TokenBits.lineStart | TokenBits.glued;
        [begin, hash, seen, letters, lowers] = [at, hashStart, 0, 0, 0];
      }
      if (isDigit) seen |= seenDigit;
      else if (isCapital)
        seen |= letters === 0 && (seen & seenDigit) === 0 ? seenCapital : seenInner;
      else if (isUncased) seen |= seenUncased;
      letters += 1;
      lowers = isDigit || isCapital ? 0 : lowers + 1;
      if (letters === 1 && !isDigit && !isCapital) seen |= seenLower;
      hash = Math.imul(hash ^ (bits & unit), 0x01000193);
      at += 1;
    }
    this.#push(begin, at, seen, hash);
    return at;
  }

  /** Whether a capital inside a word begins another cell: `weitereAcme`, `13Excellent`. */
  #isGlue(begin: number, at: number, lowers: number, seen: number): boolean {
    const text = this.#text;
    if ((bitsAt(text, at - 1) & word) === 0) return false;
    if ((seen & seenLower) !== 0) return lowers >= gluedLettersMin && lowers === at - begin;
    if ((seen & seenDigit) === 0) return false;
    return isLowerAt(text, at + 1) && isLowerAt(text, at + 2);
  }

  #push(start: number, last: number, seen: number, hash: number): void {
    let [end, bits] = [last, this.#pending];
    const text = this.#text;
    const possessive = possessiveBefore(text, start, end);
    if (possessive > 0) {
      end -= possessive;
      bits |= TokenBits.possessive;
    }
    if (end <= start) return;
    const isCamel = (seen & seenLower) !== 0 && (seen & seenInner) !== 0;
    const isName = (seen & seenCapital) !== 0 || isCamel;
    if (isName) bits |= TokenBits.name;
    if ((seen & seenDigit) !== 0) bits |= TokenBits.digits;
    if ((seen & seenUncased) !== 0) bits |= TokenBits.uncased;
    if (this.#isLastKept && isJoint(text, this.#lastEnd, start)) bits |= TokenBits.joined;
    const isNumber = (bits & TokenBits.digits) !== 0 && !isName;
    // The number of an item begins no sentence.
    this.#pending = isNumber ? this.#pending & ~TokenBits.glued : 0;
    this.#lastEnd = last;
    this.#isLastKept = isName || (bits & (TokenBits.digits | TokenBits.uncased)) !== 0;
    if (!this.#isLastKept) {
      this.#lower.add(possessive > 0 ? hashOf(text, start, end) : hash);
      return;
    }
    this.starts.push(start);
    this.ends.push(end);
    this.bits.push(bits);
    this.hashes.push(possessive > 0 ? hashOf(text, start, end) : hash);
  }
}

const [seenCapital, seenInner, seenLower, seenDigit, seenUncased] = [1, 2, 4, 8, 16];
const hashStart = 0x811c9dc5;

const codesOf = (signs: string) => new Set([...signs].map((sign) => sign.charCodeAt(0)));
const lineSigns = codesOf("\n\r|→\t");
const sentenceSigns = codesOf('.!?:;…—–•。！？：；"“„«「『');

function bitsAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return characterPage(code >> 8)[code & 0xff] ?? 0;
}

function isLowerAt(text: string, at: number): boolean {
  return at < text.length && (bitsAt(text, at) & (word | accented | capital)) === (word | accented);
}

/** Without case and accents, and without signs. */
function hashOf(text: string, start: number, end: number): number {
  let hash = hashStart;
  for (let at = start; at < end; at += 1) {
    const bits = bitsAt(text, at);
    if ((bits & word) !== 0) hash = Math.imul(hash ^ (bits & unit), 0x01000193);
  }
  return hash;
}

const hyphens = codesOf("-‑‐");
const apostrophes = codesOf("'’");

/** Whether a sign stands inside a word: `Mach-E`, `O'Neill`, `B&W`, `Node.js`. */
function isJoiner(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if ((bitsAt(text, at + 1) & word) === 0 || at + 1 >= text.length) return false;
  if (apostrophes.has(code) || code === 0x26) return true;
  // A sentence may follow without a space: then a capital does.
  if (code === 0x2e) return !isCapitalAt(text, at + 1);
  return hyphens.has(code) && !(isLowerAt(text, at + 1) && isLowerAt(text, at + 3));
}

function isCapitalAt(text: string, at: number): boolean {
  return (bitsAt(text, at) & capital) !== 0;
}

/** How many characters of `'s` a word ends with. */
function possessiveBefore(text: string, start: number, end: number): number {
  if (end - start < 3 || !apostrophes.has(text.charCodeAt(end - 2))) return 0;
  return text.charCodeAt(end - 1) === 0x73 ? 2 : 0;
}

function isJoint(text: string, from: number, to: number): boolean {
  const isSpace = (at: number) => text.charCodeAt(at) === 0x20 || text.charCodeAt(at) === 0xa0;
  if (to - from === 1) return isSpace(from);
  return to - from === 3 && isSpace(from) && text.charCodeAt(from + 1) === 0x26 && isSpace(to - 1);
}

/** The end of an address that is not a link. */
function afterAddress(text: string, from: number): number {
  let at = from;
  while (at < text.length && !addressEnds.has(text.charCodeAt(at))) at += 1;
  return at;
}

const targetEnds = codesOf(") \n");
const addressEnds = codesOf(' \n\t)]>"');
