/**
 * PostgreSQL's texts have every character but U+0000, which a name or a prompt may have. It is
 * stored as an escape of two characters, and so is the character that begins the escape: one of
 * Unicode's private use, so that texts without either are stored as they are.
 */
const mark = "\u{e000}";
const nul = "\u{0}";

/** A text as it is stored. */
export function toStored(text: string): string {
  if (!text.includes(nul) && !text.includes(mark)) return text;
  return text.replaceAll(mark, `${mark}1`).replaceAll(nul, `${mark}0`);
}

/** The text that was stored. */
export function fromStored(text: string): string {
  if (!text.includes(mark)) return text;
  return text.replaceAll(`${mark}0`, nul).replaceAll(`${mark}1`, mark);
}
