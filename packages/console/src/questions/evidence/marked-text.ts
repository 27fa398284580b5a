/** A name in a text, as evidence locates it: UTF-16 units, `end` exclusive. */
export interface Located {
  readonly entityId: string;
  readonly start: number;
  readonly end: number;
}

/** A piece of a text: a mention, or what stands between mentions. */
export interface TextPart {
  readonly text: string;
  /** Where it begins in the whole text. */
  readonly start: number;
  /** Null: between mentions. */
  readonly entityId: string | null;
}

/**
 * A text cut at its mentions, in order; put together, the parts are the text. Mentions that begin
 * inside the one before or lie outside the text are left out.
 */
export function markedParts(text: string, mentions: readonly Located[]): readonly TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  const add = (start: number, end: number, entityId: string | null): void => {
    if (end > start) parts.push({ text: text.slice(start, end), start, entityId });
    at = end;
  };
  for (const { entityId, start, end } of [...mentions].sort((a, b) => a.start - b.start)) {
    if (start < at || end <= start || end > text.length) continue;
    add(at, start, null);
    add(start, end, entityId);
  }
  add(at, text.length, null);
  return parts;
}

/** Letters of an excerpt before its first mention, and in all. */
const [before, total] = [80, 320] as const;

/** The longest word that is left out whole: not every script puts spaces between words. */
const wordMax = 60;

/** Where an excerpt ends: after a word, or at most where a text without spaces is cut. */
function endOf(text: string, most: number): number {
  if (text.length <= most) return text.length;
  const space = text.lastIndexOf(" ", most);
  return space >= most - wordMax ? space : afterPair(text, most);
}

/** The place itself, or the one after it where it lies between a pair of surrogates. */
function afterPair(text: string, place: number): number {
  return /[\uDC00-\uDFFF]/.test(text.charAt(place)) ? place + 1 : place;
}

/** The part of a text around its first mention of an entity; null: of anybody. */
export function excerptOf(
  text: string,
  mentions: readonly Located[],
  entityId: string | null,
): { readonly text: string; readonly mentions: readonly Located[] } {
  const first = mentions.find((each) => entityId === null || each.entityId === entityId);
  const wanted = Math.max(0, (first?.start ?? 0) - before);
  // Begins after a space where there is one, so that no word is cut in two.
  const space = wanted === 0 ? -1 : text.indexOf(" ", wanted);
  const isWhole = wanted === 0 || space === -1 || space > (first?.start ?? 0);
  const start = isWhole ? afterPair(text, wanted) : space + 1;
  const end = endOf(text, start + total);
  const head = start > 0 ? "… " : "";
  const shift = start - head.length;
  return {
    text: `${head}${text.slice(start, end)}${end < text.length ? " …" : ""}`,
    mentions: mentions
      .filter((each) => each.start >= start && each.end <= end)
      .map((each) => ({ ...each, start: each.start - shift, end: each.end - shift })),
  };
}
