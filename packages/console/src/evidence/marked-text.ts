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

/** The part of a text around its first mention of an entity; null: of anybody. */
export function excerptOf(
  text: string,
  mentions: readonly Located[],
  entityId: string | null,
): { readonly text: string; readonly mentions: readonly Located[] } {
  const first = mentions.find((each) => entityId === null || each.entityId === entityId);
  const wanted = Math.max(0, (first?.start ?? 0) - before);
  // Begins after a space, so that no word and no pair of surrogates is cut in two.
  const space = wanted === 0 ? -1 : text.indexOf(" ", wanted);
  const start = wanted === 0 || space === -1 || space > (first?.start ?? 0) ? wanted : space + 1;
  const lastSpace = text.lastIndexOf(" ", start + total);
  const end = text.length <= start + total ? text.length : Math.max(start, lastSpace);
  const head = start > 0 ? "… " : "";
  const shift = start - head.length;
  return {
    text: `${head}${text.slice(start, end)}${end < text.length ? " …" : ""}`,
    mentions: mentions
      .filter((each) => each.start >= start && each.end <= end)
      .map((each) => ({ ...each, start: each.start - shift, end: each.end - shift })),
  };
}
