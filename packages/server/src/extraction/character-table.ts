/**
 * The properties of a character that comparisons need, packed into one number, because reading and
 * writing them is most of the time that a text takes. The low 16 bits are the code unit of the
 * character without case and accent (beyond the BMP the low bits of the code point, whose plane
 * stays); these bits are above them.
 */
export const CharacterBits = {
  unit: 0xffff,
  /** A letter, mark or decimal digit. */
  word: 1 << 16,
  /** Of a script without spaces between words. */
  unspaced: 1 << 17,
  /** Hangul, which appends particles to words. */
  hangul: 1 << 18,
  /** A space, line break or dash. */
  space: 1 << 19,
  lineBreak: 1 << 20,
  dash: 1 << 21,
  /** A character that Markdown uses for emphasis. */
  emphasis: 1 << 22,
  /** Invisible, and dropped. */
  ignored: 1 << 23,
  /** A combining mark. */
  combiningMark: 1 << 24,
  /** A Latin, Greek or Cyrillic letter: marks after it are accents, and dropped. */
  accented: 1 << 25,
  /** The character is the capital of the unit. */
  capital: 1 << 26,
  /** The character is another form of the unit, such as the final ς of σ. */
  variant: 1 << 27,
} as const;

const pages: (Int32Array | undefined)[] = new Array(0x1100).fill(undefined);

const word = /[\p{L}\p{M}\p{Nd}]/u;
const unspacedScripts = ["Han", "Hira", "Kana", "Bopo", "Thai", "Laoo", "Khmr", "Mymr"];
const unspaced = new RegExp(unspacedScripts.map((name) => `\\p{scx=${name}}`).join("|"), "u");
const accentedScript = /[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}]/u;
const lineBreak = /[\n\u0085\u2028\u2029]/;

/** Quotes and apostrophes in their normalized form. */
const straightened = new Map([
  ...[..."‘’‚‛ʼʹ′´"].map((quote): [string, string] => [quote, "'"]),
  ...[..."“”„‟″"].map((quote): [string, string] => [quote, '"']),
]);

/**
 * The `CharacterBits` of 256 code points from `index * 256` on. A page is built when it is first
 * used: most texts use five, and all of them would take a tenth of a second.
 */
export function characterPage(index: number): Int32Array {
  return pages[index] ?? makePage(index);
}

/** The `CharacterBits` of one code point. */
export function characterBits(codePoint: number): number {
  return characterPage(codePoint >> 8)[codePoint & 0xff] ?? 0;
}

function makePage(index: number): Int32Array {
  const page = Int32Array.from({ length: 256 }, (_, offset) => {
    const character = String.fromCodePoint(index * 256 + offset);
    const cased = withoutAccents(straightened.get(character) ?? character);
    const folded = withoutCase(cased);
    const unit = (folded.codePointAt(0) ?? 0) & CharacterBits.unit;
    return unit | classesOf(character, cased) | caseOf(cased, folded);
  });
  pages[index] = page;
  return page;
}

function classesOf(character: string, cased: string): number {
  const isSpace = /\p{White_Space}/u.test(character);
  const isDash = /[\p{Pd}\u2212]/u.test(character);
  let classes = 0;
  if (/\p{Default_Ignorable_Code_Point}/u.test(character)) return CharacterBits.ignored;
  if (isSpace || isDash) classes |= CharacterBits.space;
  if (isDash) classes |= CharacterBits.dash;
  if (lineBreak.test(character)) classes |= CharacterBits.lineBreak;
  if (/[*_`~]/.test(character)) classes |= CharacterBits.emphasis;
  if (!word.test(cased)) return classes;
  classes |= CharacterBits.word;
  if (unspaced.test(cased)) classes |= CharacterBits.unspaced;
  if (/\p{sc=Hang}/u.test(cased)) classes |= CharacterBits.hangul;
  if (/\p{M}/u.test(cased)) classes |= CharacterBits.combiningMark;
  else if (accentedScript.test(cased)) classes |= CharacterBits.accented;
  return classes;
}

/** é as e, but が as が: only Latin, Greek and Cyrillic letters lose their marks. */
function withoutAccents(character: string): string {
  const base = String.fromCodePoint(character.normalize("NFD").codePointAt(0) ?? 0);
  return base.length === character.length && accentedScript.test(base) ? base : character;
}

/**
 * Simple case folding, one code point to one of the same width: ẞ is ß (not ss), and the final ς is
 * σ. The dotless ı stays itself.
 */
function withoutCase(cased: string): string {
  if (cased === "ς") return "σ";
  const lower = cased.toLowerCase();
  return lower.length === cased.length ? lower : cased;
}

function caseOf(cased: string, folded: string): number {
  if (cased === folded) return 0;
  return cased === folded.toUpperCase() ? CharacterBits.capital : CharacterBits.variant;
}
