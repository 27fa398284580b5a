import { entityAt, entityEndingAt, type TextEdit, type TextSpan } from "./text-edits.ts";

/** What stands for a source mark: the end of a paragraph, so that no name is read across it. */
export const gap = "\n\n";

/** Which closing signs end what an opening sign began. */
const closers: Readonly<Record<string, string>> = {
  "(": ")）",
  "（": ")）",
  "[": "]］】",
  "［": "]］】",
  "【": "]］】",
};
const closing = /[)\]）］】]/;
const wordCharacter = /[\p{L}\p{M}\p{N}]/u;

/**
 * Adds to the cuts of a text its source marks: parentheses or brackets that hold nothing but links
 * and signs between them, such as `([Acme][1], [Globex][2])`. They name sources and mention nobody.
 * HTML's entities are read as what they stand for. Each character is read at most twice, and
 * those before a semicolon once more.
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
  let next = 0;
  for (const cut of cuts) {
    for (let link = links[next]; link && link.start <= cut.start; link = links[next]) {
      reader.readLink(link);
      next += 1;
    }
    reader.readTo(cut);
  }
  reader.readProse(text.length, false);
  return reader.marks.length === 0 ? cuts : merged(cuts, reader.marks);
}

class MarkReader {
  readonly marks: TextSpan[] = [];
  readonly #text: string;
  /** The last opening sign that only links and signs follow; -1: there is none. */
  #open = -1;
  /** Whether a link follows it. */
  #hasLink = false;
  /** Where the last link or cut ends. */
  #done = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readLink(link: TextSpan): void {
    this.readTo(link);
    this.#hasLink = true;
  }

  /** Reads the prose before a link, or before a cut that is not inside one. */
  readTo({ start, end }: TextSpan): void {
    if (start < this.#done || start === end) return;
    this.readProse(start, true);
    this.#done = end;
  }

  /** @param isFollowed whether a link may follow that the prose opens a mark for. */
  readProse(end: number, isFollowed: boolean): void {
    const read = this.#open === -1 ? this.#done : this.#readOn(this.#done, end);
    if (this.#open !== -1 || !isFollowed) return;
    const at = lastStop(this.#text, read, end);
    if (at === -1 || closers[signAt(this.#text, at)] === undefined) return;
    this.#open = at;
    this.#hasLink = false;
  }

  /** Reads on in an open mark, up to where it ends or turns out not to be one. */
  #readOn(start: number, end: number): number {
    const at = nextStop(this.#text, start, end);
    if (at === -1) return end;
    const ends = closers[signAt(this.#text, this.#open)]?.includes(signAt(this.#text, at)) === true;
    const after = ends ? (entityAt(this.#text, at)?.end ?? at + 1) : at;
    if (ends && this.#hasLink) this.marks.push({ start: this.#open, end: after });
    this.#open = -1;
    return after;
  }
}

/** The character at an index, or what the entity there stands for. */
function signAt(text: string, at: number): string {
  const sign = text.charAt(at);
  return sign === "&" ? (entityAt(text, at)?.replacement ?? sign) : sign;
}

/** The first sign of a mark, word or blank line from `start` on; -1: there is none before `end`. */
function nextStop(text: string, start: number, end: number): number {
  let breaks = 0;
  for (let at = start; at < end; at += 1) {
    const entity = text[at] === "&" ? entityAt(text, at) : null;
    if (entity === null ? isStop(text, at) : isStopping(entity.replacement)) return at;
    if (entity !== null) at = entity.end - 1;
    if (text[at] === "\n") breaks += 1;
    if (breaks === 2) return at;
  }
  return -1;
}

/** The last one before `end`; -1: there is none from `start` on. */
function lastStop(text: string, start: number, end: number): number {
  let breaks = 0;
  for (let at = end - 1; at >= start; at -= 1) {
    const entity = text[at] === ";" ? entityEndingAt(text, at) : null;
    if (entity === null ? isStop(text, at) : isStopping(entity.replacement)) {
      return entity?.start ?? at;
    }
    if (entity !== null) at = entity.start;
    if (text[at] === "\n") breaks += 1;
    if (breaks === 2) return at;
  }
  return -1;
}

function isStop(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x80) return asciiStop[code] === 1;
  const isLowHalf = (code & 0xfc00) === 0xdc00 && at > 0;
  return isStopping(String.fromCodePoint(text.codePointAt(isLowHalf ? at - 1 : at) ?? 0));
}

function isStopping(sign: string): boolean {
  return wordCharacter.test(sign) || closing.test(sign) || closers[sign] !== undefined;
}

/** By code unit: nearly all characters of most texts. */
const asciiStop = Uint8Array.from({ length: 0x80 }, (_, code) =>
  Number(isStopping(String.fromCharCode(code))),
);

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
