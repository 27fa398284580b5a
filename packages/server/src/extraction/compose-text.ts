import { CharacterBits, characterBits } from "./character-table.ts";
import type { TextEdit } from "./text-edits.ts";

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

/** The edits by which `composeText` composes a text. */
export function composeEdits(text: string): readonly TextEdit[] {
  // Of a text that is composed already, each piece is.
  if (composeText(text) === text) return [];
  return Array.from(text.matchAll(composedTogether), ({ 0: piece, index: start }) => {
    return { start, end: start + piece.length, replacement: composeText(piece), piece };
  }).filter(({ piece, replacement }) => piece !== replacement);
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
