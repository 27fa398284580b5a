import type { PortrayalFlag } from "@sightline/client";

/** A name in a text, as evidence locates it: UTF-16 units, `end` exclusive. */
export interface Located {
  readonly entityId: string;
  readonly start: number;
  readonly end: number;
}

/** A sentence, and the citations that stand behind it, by their places in the answer's list. */
export interface Statement {
  readonly citations: readonly number[];
  readonly start: number;
  readonly end: number;
}

/** Words of a text on which flags of portrayal rest. */
export interface Cued {
  readonly flags: readonly PortrayalFlag[];
  readonly start: number;
  readonly end: number;
}

/** A mention as evidence has it, with the words that say something of its entity. */
interface Spoken extends Pick<Located, "entityId"> {
  readonly cues: readonly { readonly flag: string; readonly start: number; readonly end: number }[];
}

/** What is said of an entity, or of anybody: null; the cues of one flag, or of all: null. */
export function cuesOf(
  mentions: readonly Spoken[],
  entityId: string | null,
  flag: PortrayalFlag | null,
): readonly Cued[] {
  return mentions
    .filter((mention) => entityId === null || mention.entityId === entityId)
    .flatMap(({ cues }) => cues.filter((cue) => flag === null || cue.flag === flag))
    .map(({ flag: own, start, end }) => ({ flags: [own as PortrayalFlag], start, end }));
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
  /** Null: no flag rests on it. */
  readonly cue: Cued | null;
}

/** What lies over a text. */
export interface Layers {
  /** In order and disjoint. */
  readonly mentions: readonly Located[];
  /** In order and disjoint. */
  readonly cues: readonly Cued[];
  /** Where something begins or ends, in order. */
  readonly cuts: readonly number[];
}

/**
 * Mentions, sentences and cues as layers over a text. Mentions that begin inside the one before or
 * lie outside the text are left out.
 */
export function layersOf(
  text: string,
  mentions: readonly Located[],
  statements: readonly Statement[] = [],
  cues: readonly Cued[] = [],
): Layers {
  const kept: Located[] = [];
  for (const each of [...mentions].sort((a, b) => a.start - b.start)) {
    const at = kept.at(-1)?.end ?? 0;
    if (each.start >= at && each.end > each.start && each.end <= text.length) kept.push(each);
  }
  const cuts = new Set([...kept, ...statements, ...cues].flatMap(({ start, end }) => [start, end]));
  return {
    mentions: kept,
    cues: disjointCues(cues.filter(({ start, end }) => start < end && end <= text.length)),
    cuts: [...cuts].sort((a, b) => a - b),
  };
}

/** Cues cut where one begins or ends: a part has the flags of all that cover it. */
function disjointCues(cues: readonly Cued[]): readonly Cued[] {
  const parts: Cued[] = [];
  const sorted = cues.toSorted((a, b) => a.start - b.start);
  const places = [...new Set(cues.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  let open: readonly Cued[] = [];
  let next = 0;
  places.forEach((start, index) => {
    const from = next;
    while ((sorted[next]?.start ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    open = [...open.filter(({ end }) => end > start), ...sorted.slice(from, next)];
    const end = places[index + 1];
    if (open.length === 0 || end === undefined) return;
    parts.push({ flags: [...new Set(open.flatMap(({ flags }) => flags))], start, end });
  });
  return parts;
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

/** The first of what is disjoint and in order that ends after a place; undefined: none does. */
function firstAfter<T extends { readonly end: number }>(all: readonly T[], place: number) {
  return all[firstFrom(all.length, (at) => all[at]?.end ?? 0, place + 1)];
}

/** Whether a mention covers a part of the source. */
export function hasMention(layers: Layers, start: number, end: number): boolean {
  return (firstAfter(layers.mentions, start)?.start ?? end) < end;
}

/** A run cut where what lies over it begins and ends; put together, the pieces are the run. */
export function piecesOf(run: Run, layers: Layers): readonly Piece[] {
  const { text, start, end } = run;
  const pieces: Piece[] = [];
  const add = (from: number, to: number, its: string): void => {
    if (its === "") return;
    const [mention, cue] = [firstAfter(layers.mentions, from), firstAfter(layers.cues, from)];
    pieces.push({
      text: its,
      start: from,
      end: to,
      mention: mention !== undefined && mention.start < to ? mention : null,
      cue: cue !== undefined && cue.start < to ? cue : null,
    });
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

/** A text with its mentions, and with the cues that are looked for in it. */
export interface MarkedText {
  readonly text: string;
  readonly mentions: readonly Located[];
  readonly cues?: readonly Cued[];
}

/** The part of a text around its first cue, or its first mention of an entity; null: of anybody. */
export function excerptOf(marked: MarkedText, entityId: string | null): MarkedText {
  const { text, mentions, cues = [] } = marked;
  const first = firstOf(marked, entityId);
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
    cues: shifted(cues, start, end, shift),
  };
}

/** A name stands so near before what is said of it, to be shown with it. */
const nameBefore = 160;

/** What an excerpt is shown around: the first cue with the name before it, or a mention. */
function firstOf({ mentions, cues = [] }: MarkedText, entityId: string | null) {
  const own = mentions.filter((each) => entityId === null || each.entityId === entityId);
  const [cue] = cues;
  if (cue === undefined) return own[0];
  const name = own.findLast(({ start }) => start <= cue.start);
  return name !== undefined && cue.start - name.end <= nameBefore ? name : cue;
}

function shifted<T extends Pick<Located, "start" | "end">>(
  all: readonly T[],
  start: number,
  end: number,
  shift: number,
): readonly T[] {
  return all
    .filter((each) => each.start >= start && each.end <= end)
    .map((each) => ({ ...each, start: each.start - shift, end: each.end - shift }));
}

/** What is read of a text for its excerpt: signs of Markdown and addresses are left out of it. */
const [windowBefore, windowTotal] = [1_000, 4_000] as const;

/** A part of a long text that an excerpt can be taken from, from the start of a paragraph. */
export function windowOf(marked: MarkedText, entityId: string | null): MarkedText {
  const { text, mentions, cues = [] } = marked;
  const least = (firstOf(marked, entityId)?.start ?? 0) - windowBefore;
  if (text.length <= windowTotal) return { text, mentions, cues };
  const paragraph = least <= 0 ? -1 : text.indexOf("\n\n", least);
  const found = paragraph !== -1 && paragraph < least + windowBefore - before;
  const start = least <= 0 ? 0 : found ? paragraph + 2 : afterPair(text, least);
  const end = afterPair(text, Math.min(text.length, start + windowTotal));
  return {
    text: text.slice(start, end),
    mentions: shifted(mentions, start, end, start),
    cues: shifted(cues, start, end, start),
  };
}
