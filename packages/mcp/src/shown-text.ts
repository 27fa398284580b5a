/** The maximum length of a shown name. */
export const nameCharactersMax = 120;
/** The maximum length of a shown prompt. */
export const promptCharactersMax = 300;
/** The maximum length of a shown source. */
export const sourceCharactersMax = 500;

/**
 * A text of the account or of an answer in a form that is safe to show to a model: one line,
 * without control and invisible characters (writing directions, zero widths, tags), which could
 * hide an instruction from people. A longer text ends with `…`.
 */
export function shownText(text: string, charactersMax: number): string {
  const visible = text
    .toWellFormed()
    .replaceAll(/[\p{Cf}\p{Co}\p{Cn}]/gu, "")
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  if (visible.length <= charactersMax) return visible;
  // A cut may split a surrogate pair; the remaining half is removed.
  const cut = visible.slice(0, charactersMax).replace(/[\uD800-\uDBFF]$/, "");
  return `${cut}…`;
}

/** A name in a form that is safe to show. */
export function shownName(name: string): string {
  return shownText(name, nameCharactersMax);
}
