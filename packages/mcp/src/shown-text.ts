/** The most characters that are shown of a name. */
export const nameCharactersMax = 120;
/** The most characters that are shown of a prompt. */
export const promptCharactersMax = 300;
/** The most characters that are shown of a source. */
export const sourceCharactersMax = 500;

/**
 * A text of the account or of an answer, as it may be shown to a model: one line, without control
 * characters and without what is not seen (directions of writing, zero widths, tags), of which an
 * instruction could be made that no person notices. A longer text ends with `…`.
 */
export function shownText(text: string, charactersMax: number): string {
  const visible = text
    .toWellFormed()
    .replaceAll(/[\p{Cf}\p{Co}\p{Cn}]/gu, "")
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  if (visible.length <= charactersMax) return visible;
  // A cut may split a surrogate pair; the half of it is taken out.
  const cut = visible.slice(0, charactersMax).replace(/[\uD800-\uDBFF]$/, "");
  return `${cut}…`;
}

/** A name, as it may be shown. */
export function shownName(name: string): string {
  return shownText(name, nameCharactersMax);
}
