// What needs the tables of Unicode is made when a text needs it: loading them takes 10 ms, and most
// commands print ASCII alone.
let segmenter: Intl.Segmenter | null = null;

/** Code points that take two columns: East Asian Width W and F (Unicode 17), in runs. */
const wideRuns: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x3247],
  [0x3250, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18cff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
];

/** The columns that a text takes on a terminal. Control characters are not expected in it. */
export function textWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemesOf(text)) width += graphemeWidth(segment);
  return width;
}

/** The text, or its beginning and `…`, in at most `width` columns. */
export function fitted(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let taken = "";
  let room = width - 1;
  for (const { segment } of graphemesOf(text)) {
    room -= graphemeWidth(segment);
    if (room < 0) break;
    taken += segment;
  }
  return width < 1 ? "" : `${taken}…`;
}

/** The text with spaces after it, or before it, to `width` columns. */
export function padded(text: string, width: number, side: "left" | "right" = "left"): string {
  const spaces = " ".repeat(Math.max(0, width - textWidth(text)));
  return side === "left" ? text + spaces : spaces + text;
}

function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}

// Terminals add up code points, save in emoji, which they draw as one picture.
function graphemeWidth(grapheme: string): number {
  if (/^(?:\p{RGI_Emoji}|\p{Emoji}\ufe0f)$/v.test(grapheme))
    return isTextByItself(grapheme) ? 1 : 2;
  let width = 0;
  for (const character of grapheme) width += characterWidth(character);
  return width;
}

/** `©`, `1` and their like are emoji only with a selector, which makes them longer. */
function isTextByItself(grapheme: string): boolean {
  return grapheme.length === 1 && !isPicture(grapheme);
}

function characterWidth(character: string): number {
  // Marks, formats, and the vowels and finals that stand on a Hangul initial.
  if (/[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff]/u.test(character)) return 0;
  const code = character.codePointAt(0) ?? 0;
  if (isPicture(character)) return 2;
  return wideRuns.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}

function isPicture(character: string): boolean {
  return /\p{Emoji_Presentation}/u.test(character);
}
