/**
 * What a terminal or a reader would act on or not see: control characters (escape sequences begin
 * with one), formats (which turn writing round or hide it), separators of lines and paragraphs,
 * and halves of surrogate pairs. The joiners of Persian, Indic scripts and emoji are none of it.
 */
const unsafe = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * A name, a text or a URL of the service as it may be shown: whatever could act on a terminal is
 * written as its number, such as `\u{1b}`. What is safe stays as it is.
 */
export function safeText(text: string): string {
  return text.replaceAll(unsafe, (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`);
}

/** A document on one line, as JSON that is equal and holds nothing that acts on a terminal. */
export function safeJson(document: unknown): string {
  return JSON.stringify(document).replaceAll(unsafe, escaped);
}

/** As JSON writes it: by UTF-16 units. Only inside strings can any of these stand. */
function escaped(found: string): string {
  return found
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
