/**
 * Characters that a terminal would act on or a reader would not see: control characters (escape
 * sequences begin with one), formats (which reverse or hide text), line and paragraph separators,
 * and unpaired surrogates. The joiners of Persian, Indic scripts and emoji are allowed.
 */
const unsafe = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * A name, text or URL of the service in a form that is safe to show: whatever could act on a
 * terminal is written as its number, such as `\u{1b}`. Safe text is unchanged.
 */
export function safeText(text: string): string {
  return text.replaceAll(unsafe, (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`);
}

/** A document on one line, as equivalent JSON without terminal control characters. */
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
