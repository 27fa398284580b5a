import { firstFrom, type Layers, type Passage, piecesOf } from "./marked-text.ts";
import type { Branch, RichNode } from "./rich-text.ts";

interface Cited {
  readonly spans: readonly (readonly number[])[];
}

/**
 * The parts of a text that citations stand behind. Some providers mark the passage, others the link
 * after it: that one stands behind the sentence which it follows.
 */
export function passagesOf(text: string, citations: readonly Cited[]): readonly Passage[] {
  return citations.flatMap(({ spans }, citation) =>
    spans.flatMap(([start = 0, end = 0]) => {
      if (start < 0 || end <= start || end > text.length) return [];
      const isMark = isOnlyMark(text.slice(start, end));
      return [{ citation, start: isMark ? sentenceBefore(text, start) : start, end }];
    }),
  );
}

/** The longest mark that is recognised: an address has at most 2,000 characters or so. */
const markMax = 4_000;
/** Links with their labels, marks of sources such as 【7†source】 and [3], and bare addresses. */
const marks =
  /!?\[[^[\]]*\]\([^()[\s]*(?:\([^()[\s]*\)[^()[\s]*)?\)|【[^【】]*】|\[\^?\d+\]|https?:\/\/[^\s)]+/g;

/** Whether a part of a text is nothing but links and the signs around them. */
function isOnlyMark(part: string): boolean {
  return part.length <= markMax && !/[\p{L}\p{N}]/u.test(part.replace(marks, ""));
}

/** How far back a sentence begins at most. */
const sentenceMax = 1_000;

/** Where the sentence begins that ends before a place, or at it. */
function sentenceBefore(text: string, place: number): number {
  const least = Math.max(0, place - sentenceMax);
  // Before the mark stand signs too: a full stop, a parenthesis, other marks, which hide words.
  const head = text.slice(least, place).replace(marks, (mark) => "\uE000".repeat(mark.length));
  let end = head.length;
  while (end > 0 && !/[\p{L}\p{N}]/u.test(head.charAt(end - 1))) end -= 1;
  const starts = [...head.slice(0, end).matchAll(/\n|[.!?。！？]["'”’)\]*_\uE000]*\s+/gu)];
  const last = starts.at(-1);
  return least + (last === undefined ? 0 : last.index + last[0].length);
}

/**
 * Where the numbers of citations stand: after the piece that begins at a place, or after a link,
 * inside which nothing else can be pressed. In the order of the text.
 */
export type Notes = ReadonlyMap<number | Branch, readonly number[]>;

/** Places each passage's number behind its last piece that is shown. */
export function notesOf(
  nodes: readonly RichNode[],
  layers: Layers,
  passages: readonly Passage[],
): Notes {
  const spots: { readonly start: number; readonly key: number | Branch }[] = [];
  const walk = (node: RichNode, link: Branch | null): void => {
    if (node.kind === "leaf") {
      const pieces = piecesOf(node, layers).filter(({ text }) => text.trim() !== "");
      spots.push(...pieces.map(({ start }) => ({ start, key: link ?? start })));
      return;
    }
    const outer = link ?? (node.href === undefined ? null : node);
    for (const child of node.children) walk(child, outer);
  };
  for (const node of nodes) walk(node, null);
  const notes = new Map<number | Branch, number[]>();
  for (const { citation, end } of passages.toSorted((a, b) => a.end - b.end)) {
    const spot = spots[firstFrom(spots.length, (at) => spots[at]?.start ?? 0, end) - 1];
    if (spot === undefined) continue;
    const there = notes.get(spot.key) ?? [];
    if (!there.includes(citation)) there.push(citation);
    notes.set(spot.key, there);
  }
  return notes;
}
