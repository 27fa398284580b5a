/** The maximum number of characters of input that a message shows. */
export const quotedCharactersMax = 60;

/** A text in a message: in quotes, and truncated if necessary. */
export function quoted(text: string): string {
  const isLong = text.length > quotedCharactersMax;
  const short = isLong ? `${text.slice(0, quotedCharactersMax)}…` : text;
  // A cut may split a surrogate pair, and a sender may send half of one.
  return JSON.stringify(short.toWellFormed());
}
