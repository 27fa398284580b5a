/** A name in a text, as evidence locates it: UTF-16 units, `end` exclusive. */
export interface Located {
  readonly entityId: string;
  readonly start: number;
  readonly end: number;
}

/** A part of a text that a citation stands behind. */
export interface Passage {
  /** The place of the citation in the answer's list, from 0. */
  readonly citation: number;
  readonly start: number;
  readonly end: number;
}

/** A run of a text as it is shown: what the source from `start` to `end` says. */
export interface Run {
  /** As long as the source, unless it stands for a sign such as `&amp;`. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A piece of a run: inside a mention, or between mentions. */
export interface Piece extends Run {
  /** Null: between mentions. Signs of Markdown can divide a mention into several pieces. */
  readonly mention: Located | null;
}

/** What lies over a text. */
export interface Layers {
  /** In order and disjoint. */
  readonly mentions: readonly Located[];
  /** Where something begins or ends, in order. */
  readonly cuts: readonly number[];
}

/**
 * Mentions and passages as layers over a text. Mentions that begin inside the one before or lie
 * outside the text are left out.
 */
export function layersOf(
  text: string,
  mentions: readonly Located[],
  passages: readonly Passage[] = [],
): Layers {
  const kept: Located[] = [];
  for (const each of [...mentions].sort((a, b) => a.start - b.start)) {
    const at = kept.at(-1)?.end ?? 0;
    if (each.start >= at && each.end > each.start && each.end <= text.length) kept.push(each);
  }
  const cuts = new Set([...kept, ...passages].flatMap(({ start, end }) => [start, end]));
  return { mentions: kept, cuts: [...cuts].sort((a, b) => a - b) };
}

/** The index of the first value that is not below another, in values that rise. */
export function firstFrom(count: number, valueAt: (index: number) => number, least: number) {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (valueAt(middle) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first mention that ends after a place; undefined: none does. */
function mentionAfter({ mentions }: Layers, place: number): Located | undefined {
  return mentions[firstFrom(mentions.length, (at) => mentions[at]?.end ?? 0, place + 1)];
}

/** Whether a mention covers a part of the source. */
export function hasMention(layers: Layers, start: number, end: number): boolean {
  return (mentionAfter(layers, start)?.start ?? end) < end;
}

/** A run cut where mentions and passages begin and end; put together, the pieces are the run. */
export function piecesOf(run: Run, layers: Layers): readonly Piece[] {
  const { text, start, end } = run;
  const pieces: Piece[] = [];
  const add = (from: number, to: number, its: string): void => {
    const mention = mentionAfter(layers, from);
    const isIn = mention !== undefined && mention.start < to;
    if (its !== "")
      pieces.push({ text: its, start: from, end: to, mention: isIn ? mention : null });
  };
  if (text.length !== end - start) {
    add(start, end, text);
    return pieces;
  }
  const { cuts } = layers;
  let at = start;
  for (let next = firstFrom(cuts.length, (each) => cuts[each] ?? 0, start + 1); ; next += 1) {
    const to = Math.min(cuts[next] ?? end, end);
    add(at, to, text.slice(at - start, to - start));
    at = to;
    if (to === end) return pieces;
  }
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

/** A text with its mentions. */
export interface MarkedText {
  readonly text: string;
  readonly mentions: readonly Located[];
}

/** The part of a text around its first mention of an entity; null: of anybody. */
export function excerptOf({ text, mentions }: MarkedText, entityId: string | null): MarkedText {
  const first = firstOf(mentions, entityId);
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
    mentions: shifted(mentions, start, end, shift),
  };
}

/** The first mention of an entity; null: of anybody. */
const firstOf = (mentions: readonly Located[], entityId: string | null): Located | undefined =>
  mentions.find((each) => entityId === null || each.entityId === entityId);

function shifted(mentions: readonly Located[], start: number, end: number, shift: number) {
  return mentions
    .filter((each) => each.start >= start && each.end <= end)
    .map((each) => ({ ...each, start: each.start - shift, end: each.end - shift }));
}

/** What is read of a text for its excerpt: signs of Markdown and addresses are left out of it. */
const [windowBefore, windowTotal] = [1_000, 4_000] as const;

/** A part of a long text that an excerpt can be taken from, from the start of a paragraph. */
export function windowOf({ text, mentions }: MarkedText, entityId: string | null): MarkedText {
  const least = (firstOf(mentions, entityId)?.start ?? 0) - windowBefore;
  if (text.length <= windowTotal) return { text, mentions };
  const paragraph = least <= 0 ? -1 : text.indexOf("\n\n", least);
  const found = paragraph !== -1 && paragraph < least + windowBefore - before;
  const start = least <= 0 ? 0 : found ? paragraph + 2 : afterPair(text, least);
  const end = afterPair(text, Math.min(text.length, start + windowTotal));
  return { text: text.slice(start, end), mentions: shifted(mentions, start, end, start) };
}
