const webScheme = /(?:https?|ftps?)$/i;
const anyScheme = /[A-Za-z][A-Za-z0-9+.-]*$/;

/** No registered scheme is longer; the bound keeps `aaaa…://` linear. */
const schemeCharactersMax = 32;

/**
 * Characters that can end a URL as people and models write it: spaces, quotes, full-width
 * punctuation; and, depending on their context, brackets and escaped quotes.
 */
const mark = new RegExp(
  [
    /[\s<>"`{}|\\^“”„«»‹›()[\]]/,
    /[\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff5b-\uff65]/,
    /&(?:nbsp|quot|lt|gt|#34|#39|#60|#62|#160);/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

/**
 * The start of the URL whose `://` is at `separator`, or -1 when no scheme precedes it. A web
 * scheme that is glued to a word (`Samsunghttps://…`, as in pasted tables) is separated from the
 * word.
 */
export function bareUrlStart(text: string, separator: number, from: number): number {
  const before = text.slice(Math.max(from, separator - schemeCharactersMax), separator);
  const scheme = webScheme.exec(before)?.[0] ?? anyScheme.exec(before)?.[0];
  return scheme === undefined ? -1 : separator - scheme.length;
}

/** The end of a bare URL: before a space, a quote, or a bracket that it did not open. */
export function bareUrlEnd(text: string, from: number): number {
  const open = { "(": 0, "[": 0 };
  mark.lastIndex = from;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const character = found[0];
    if (character === "(" || character === "[") {
      open[character] += 1;
    } else if (character === ")" || character === "]") {
      const opener = character === ")" ? "(" : "[";
      if (open[opener] === 0) return found.index;
      open[opener] -= 1;
    } else {
      return found.index;
    }
  }
  return text.length;
}
