import { decodeHTMLStrict } from "entities/decode";
import { CharacterBits, characterBits } from "./character-table.ts";

/** A range of a text, [start, end) in UTF-16 units, and its replacement. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** A range of a text, [start, end) in UTF-16 units; not empty. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A text with its edits, which are ascending and disjoint. */
export function edited(text: string, edits: readonly TextEdit[]): string {
  let result = "";
  let from = 0;
  for (const { start, end, replacement } of edits) {
    result += text.slice(from, start) + replacement;
    from = end;
  }
  return result + text.slice(from);
}

/** Maps a range of an edited text to the text before the edits. */
export type EditTrace = (span: TextSpan) => TextSpan;

/** Maps ranges back: a replacement stands for everything that it replaced. */
export function traceOf(edits: readonly TextEdit[]): EditTrace {
  let grown = 0;
  const written = edits.map(({ start, end, replacement }) => {
    const at = start + grown;
    grown += replacement.length - (end - start);
    return at;
  });
  const unitBefore = (at: number): TextSpan => {
    const last = lastUpTo(written, at);
    const edit = edits[last];
    if (edit === undefined) return { start: at, end: at + 1 };
    const behind = at - (written[last] ?? 0) - edit.replacement.length;
    if (behind < 0) return edit;
    return { start: edit.end + behind, end: edit.end + behind + 1 };
  };
  return ({ start, end }) => ({ start: unitBefore(start).start, end: unitBefore(end - 1).end });
}

/** The index of the last of ascending numbers that is at most `most`; -1 when there is none. */
function lastUpTo(numbers: readonly number[], most: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** One entity. No name of HTML is longer, and no number that stands for a character. */
const entity = /&(?:#(?:[0-9]{1,7}|[xX][0-9a-fA-F]{1,6})|[A-Za-z][A-Za-z0-9]{1,30});/g;
const entityHere = new RegExp(entity, "y");
/** With its `&` and semicolon. */
const entityCharactersMax = 33;

/**
 * Decodes HTML's entities once, numbers as browsers read them. Names that are none stay as they
 * are, as do entities without a semicolon.
 */
export function decodeEntities(text: string): string {
  return edited(text, entityEdits(text));
}

/** The edits by which `decodeEntities` decodes a text. */
export function entityEdits(text: string): readonly TextEdit[] {
  if (!text.includes("&")) return [];
  return Array.from(text.matchAll(entity), ({ 0: whole, index }) => entityEdit(whole, index));
}

/** The edit that decodes the entity which begins at `start`; null: none does. */
export function entityAt(text: string, start: number): TextEdit | null {
  entityHere.lastIndex = start;
  const whole = entityHere.exec(text)?.[0];
  return whole === undefined ? null : entityEdit(whole, start);
}

/** The edit that decodes the entity whose semicolon is at `last`; null: it ends none. */
export function entityEndingAt(text: string, last: number): TextEdit | null {
  const from = Math.max(0, last + 1 - entityCharactersMax);
  const start = text.slice(from, last + 1).lastIndexOf("&");
  const found = start === -1 ? null : entityAt(text, from + start);
  return found?.end === last + 1 ? found : null;
}

function entityEdit(whole: string, start: number): TextEdit {
  return { start, end: start + whole.length, replacement: decodeHTMLStrict(whole) };
}

/**
 * As in the Unicode Standard's stream-safe format (UAX 15): real text has less, and NFKC is
 * quadratic in it.
 */
const marksMax = 30;

/**
 * Signs attached to a word that do not belong to it, although NFKC would turn them into letters and
 * digits: trademark signs, footnote numbers, circled and keycap numbers. `´` would become a space.
 */
const attachedSign = /[\u20e3®™℠´⁰¹²³⁴-⁹①-⑳⓪㉑-㉟㊱-㊿]/g;
const dropped = /[\u20e3®™℠]/;

/**
 * NFKC, except that signs attached to a word are separated from it by spaces. Unpaired surrogates
 * become U+FFFD.
 */
export function composeText(text: string): string {
  // As many bytes of UTF-8 as code units: the text is ASCII, and already normalized.
  if (Buffer.byteLength(text) === text.length) return text;
  const wellFormed = text.toWellFormed();
  const bounded = mayHaveTooManyMarks(wellFormed) ? withBoundedMarks(wellFormed) : wellFormed;
  return bounded.replace(attachedSign, setOff).normalize("NFKC");
}

/**
 * A character and everything after it that may be composed with it: marks, Hangul's vowels and
 * final consonants, and the half-width forms of both. ASCII runs as far as the characters stand
 * alone.
 */
const joining = String.raw`\p{M}\u1160-\u11ff\u3131-\u318e\uff9e-\uffdc`;
const composedTogether = new RegExp(
  String.raw`[\0-\x7f]+(?![${joining}])|[\s\S][${joining}]*`,
  "gu",
);

/** The edits by which `composeText` composes a text that it changes. */
export function composeEdits(text: string): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  for (const { 0: piece, index: start } of text.matchAll(composedTogether)) {
    // A mark is not ASCII: a piece that ends in ASCII is nothing else.
    if (piece.charCodeAt(piece.length - 1) < 0x80) continue;
    const replacement = composeText(piece);
    if (piece !== replacement) edits.push({ start, end: start + piece.length, replacement });
  }
  return edits;
}

function setOff(sign: string): string {
  if (sign === "´") return "'";
  return dropped.test(sign) ? " " : ` ${sign} `;
}

/**
 * Cheap, and true of few texts: whether this many characters beyond Latin letters follow each
 * other.
 */
function mayHaveTooManyMarks(text: string): boolean {
  let run = 0;
  for (let at = 0; at < text.length; at += 1) {
    run = text.charCodeAt(at) < 0x300 ? 0 : run + 1;
    if (run > marksMax) return true;
  }
  return false;
}

function withBoundedMarks(text: string): string {
  let result = "";
  let copied = 0;
  let marks = 0;
  for (let at = 0; at < text.length; at += 1) {
    const start = at;
    const codePoint = text.codePointAt(at) ?? 0;
    if (codePoint > 0xffff) at += 1;
    marks = (characterBits(codePoint) & CharacterBits.combiningMark) === 0 ? 0 : marks + 1;
    if (marks <= marksMax) continue;
    result += text.slice(copied, start);
    copied = at + 1;
  }
  return result + text.slice(copied);
}
