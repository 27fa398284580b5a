import type { TextEdit, TextSpan } from "./text-edits.ts";

/** What stands for a source mark: the end of a paragraph, so that no name is read across it. */
export const gap = "\n\n";

/** Which closing signs end what an opening sign began. */
const closers: Readonly<Record<string, string>> = {
  ...{ "(": ")）", "（": ")）" },
  ...{ "[": "]］】", "［": "]］】", "【": "]］】" },
};
const closing = /[)\]）］】]/;
const wordCharacter = /[\p{L}\p{M}\p{N}]/u;

/** A part of a text that is cut, or a link: what stands between two of them is prose. */
interface Piece extends TextSpan {
  readonly isLink: boolean;
}

/**
 * Adds to the cuts of a text its source marks: parentheses or brackets that hold nothing but links
 * and signs between them, such as `([Acme][1], [Globex][2])`. They name sources and mention nobody.
 * Each character is read at most twice.
 *
 * @param cuts ascending and disjoint; so are the links, with their labels and targets.
 */
export function withSourceMarks(
  text: string,
  cuts: readonly TextEdit[],
  links: readonly TextSpan[],
): readonly TextEdit[] {
  if (links.length === 0) return cuts;
  const reader = new MarkReader(text);
  let from = 0;
  for (const piece of piecesOf(cuts, links)) {
    reader.readProse(from, piece.start, true);
    reader.readPiece(piece);
    from = piece.end;
  }
  reader.readProse(from, text.length, false);
  return reader.marks.length === 0 ? cuts : merged(cuts, reader.marks);
}

class MarkReader {
  readonly marks: TextSpan[] = [];
  readonly #text: string;
  /** The last opening sign that only links and signs follow; -1: there is none. */
  #open = -1;
  #hasLink = false;

  constructor(text: string) {
    this.#text = text;
  }

  readPiece({ isLink }: Piece): void {
    this.#hasLink ||= isLink;
  }

  /** @param isFollowed whether a link may follow that the prose opens a mark for. */
  readProse(start: number, end: number, isFollowed: boolean): void {
    const read = this.#open === -1 ? start : this.#readOn(start, end);
    if (this.#open !== -1 || !isFollowed) return;
    const at = lastStop(this.#text, read, end);
    if (at === -1 || closers[this.#text.charAt(at)] === undefined) return;
    this.#open = at;
    this.#hasLink = false;
  }

  /** Reads on in an open mark, up to where it ends or turns out not to be one. */
  #readOn(start: number, end: number): number {
    const at = nextStop(this.#text, start, end);
    if (at === -1) return end;
    const ends = closers[this.#text.charAt(this.#open)]?.includes(this.#text.charAt(at)) === true;
    if (ends && this.#hasLink) this.marks.push({ start: this.#open, end: at + 1 });
    this.#open = -1;
    return ends ? at + 1 : at;
  }
}

/** The first sign of a mark, word or blank line from `start` on; -1: there is none before `end`. */
function nextStop(text: string, start: number, end: number): number {
  let breaks = 0;
  for (let at = start; at < end; at += 1) {
    if (isStop(text, at)) return at;
    if (text[at] === "\n") breaks += 1;
    if (breaks === 2) return at;
  }
  return -1;
}

/** The last one before `end`; -1: there is none from `start` on. */
function lastStop(text: string, start: number, end: number): number {
  let breaks = 0;
  for (let at = end - 1; at >= start; at -= 1) {
    if (isStop(text, at)) return at;
    if (text[at] === "\n") breaks += 1;
    if (breaks === 2) return at;
  }
  return -1;
}

function isStop(text: string, at: number): boolean {
  const isLowHalf = (text.charCodeAt(at) & 0xfc00) === 0xdc00 && at > 0;
  const character = String.fromCodePoint(text.codePointAt(isLowHalf ? at - 1 : at) ?? 0);
  return (
    wordCharacter.test(character) || closing.test(character) || closers[character] !== undefined
  );
}

/** Links whole, and the cuts between them. */
function* piecesOf(cuts: readonly TextEdit[], links: readonly TextSpan[]): Generator<Piece> {
  let free = 0;
  let next = 0;
  for (const { start, end } of cuts) {
    for (let link = links[next]; link && link.start <= start; link = links[next]) {
      yield { ...link, isLink: true };
      free = link.end;
      next += 1;
    }
    if (start >= free && end > start) yield { start, end, isLink: false };
  }
}

function merged(cuts: readonly TextEdit[], marks: readonly TextSpan[]): readonly TextEdit[] {
  const result: TextEdit[] = [];
  let next = 0;
  for (const cut of cuts) {
    for (let mark = marks[next]; mark && mark.start <= cut.start; mark = marks[next]) {
      result.push({ ...mark, replacement: gap });
      next += 1;
    }
    const last = marks[next - 1];
    if (last === undefined || cut.start >= last.end) result.push(cut);
  }
  return result;
}
