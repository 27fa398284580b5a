/** The most characters that a message shows of what was sent. */
export const quotedCharactersMax = 60;

/** A text as a message shows it: in quotes, and never more than its beginning. */
export function quoted(text: string): string {
  const isLong = text.length > quotedCharactersMax;
  const short = isLong ? `${text.slice(0, quotedCharactersMax)}…` : text;
  // A cut may split a surrogate pair, and a sender may send half of one.
  return JSON.stringify(short.toWellFormed());
}
