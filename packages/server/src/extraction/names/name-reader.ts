import type { TextSpan } from "../text-edits.ts";
import { isEveryday, nameKey } from "./name-key.ts";
import { NameTokens, TokenBits, type WordsRead } from "./tokens.ts";

/** What an answer says of a name that nobody tracks, as bits. */
export const NameBits = {
  /** It is the head of a line, an item or a cell, is bold, in quotes or the label of a link. */
  marked: 1,
  /** More of a name follows it: a word with a capital, or a model. */
  leads: 2,
  /** It follows the name of a tracked entity: a product of it. */
  owned: 4,
  /** The answer cites a domain whose label equals it. */
  cited: 8,
  /** The answer mentions a tracked entity. */
  beside: 16,
  /** Its domain is one of a tracked entity, which is the name's owner. */
  kin: 32,
  /** The answer mentions that entity. */
  besideKin: 64,
  /** In the answer's language only marked places say that a word is a name. */
  onlyMarked: 128,
} as const;

/** Incremented with every change of code or tables that can alter a name. */
export const namesVersion = 1;

/** A name that an answer has and that nobody tracks. */
export interface UntrackedName extends TextSpan {
  /** As it is compared: without case, spaces and signs. */
  readonly key: string;
  /** As it is written. */
  readonly name: string;
  readonly bits: number;
  /** One more than the tracked entities that are mentioned before it. */
  readonly place: number;
  /** Whose product it seems to be, or who owns its domain: the index of an entity; null: nobody. */
  readonly owner: number | null;
  /** The cited domain whose label equals it; "" when there is none. */
  readonly domain: string;
}

/** A place at which a tracked entity is named. */
interface TrackedPlace extends TextSpan {
  readonly entity: number;
}

/** What is known of an answer in addition to its text. */
export interface NameContext {
  /** In order of their starts. */
  readonly places: readonly TrackedPlace[];
  /** Domains that the answer cites. */
  readonly domains: Iterable<string>;
  /** The entities that own some of them. */
  readonly owners: ReadonlyMap<string, number>;
  /** The entities by their names, as they are compared. */
  readonly tracked: ReadonlyMap<string, number>;
}

/** The words of a name that are kept. */
const wordsMax = 3;
const charactersMin = 2;
const charactersMax = 60;
/** No more names of an answer are kept. */
const namesMax = 120;

const tokens = new NameTokens();

/**
 * Reads the names that an answer has in addition to those of tracked entities: runs of capitalised
 * words in the middle of sentences, and what is marked as a name by its place (heads of lines,
 * items and cells, bold, quotes, labels of links) or by a cited domain. Pure, linear in the text;
 * never throws, on any text. Each name stands once, at its first place.
 */
export function readNames(text: string, context: NameContext): NamesRead {
  tokens.read(text);
  return { names: new NameReader(text, context).read(), words: tokens.words() };
}

/** What an answer has of names, and which words it writes how. */
export interface NamesRead {
  readonly names: readonly UntrackedName[];
  readonly words: WordsRead;
}

class NameReader {
  readonly #text: string;
  readonly #context: NameContext;
  readonly #names = new Map<string, UntrackedName>();
  readonly #domains = new Map<string, string>();
  readonly #marks: readonly TextSpan[];
  /** Whether nouns have capitals too, so that a capital says nothing. */
  readonly #hasCapitalNouns: boolean;
  #mark = 0;
  #place = 0;
  #entities = new Set<number>();

  constructor(text: string, context: NameContext) {
    this.#text = text;
    this.#context = context;
    for (const domain of context.domains) {
      const label = nameKey(domain.split(".", 1)[0] ?? "");
      if (!this.#domains.has(label)) this.#domains.set(label, domain);
    }
    this.#marks = marksIn(text);
    this.#hasCapitalNouns = germanWords.filter((hash) => tokens.hasLower(hash)).length >= germanMin;
  }

  read(): readonly UntrackedName[] {
    const mentioned = new Set(this.#context.places.map(({ entity }) => entity));
    const language = this.#hasCapitalNouns ? NameBits.onlyMarked : 0;
    return [...this.#found().values()].map((each) => {
      const kin = this.#context.owners.get(each.domain);
      const beside = language | (mentioned.size === 0 ? 0 : NameBits.beside);
      if (kin === undefined) return { ...each, bits: each.bits | beside };
      const besideKin = mentioned.has(kin) ? NameBits.besideKin : 0;
      const bits = each.bits | beside | NameBits.kin | besideKin;
      return { ...each, bits, owner: each.owner ?? kin };
    });
  }

  #found(): ReadonlyMap<string, UntrackedName> {
    let owner: number | null = null;
    for (let at = 0; at < tokens.starts.length && this.#names.size < namesMax; ) {
      const tracked = this.#trackedAt(at);
      if (tracked !== null) {
        owner = tracked;
        at += 1;
        continue;
      }
      const bits = tokens.bits[at] ?? 0;
      const follows = (bits & TokenBits.joined) !== 0;
      if (!follows) owner = null;
      const end = this.#runEnd(at);
      if ((bits & (TokenBits.name | TokenBits.uncased)) !== 0) this.#readRun(at, end, owner);
      // Of a model that stands between a name and the next word, the owner stays.
      at = end;
    }
    return this.#names;
  }

  /** The entity that is named at a token; null: none. */
  #trackedAt(at: number): number | null {
    const { places } = this.#context;
    const [start = 0, end = 0] = [tokens.starts[at], tokens.ends[at]];
    for (let next = places[this.#place]; next; next = places[this.#place]) {
      if (next.end > start) break;
      this.#entities.add(next.entity);
      this.#place += 1;
    }
    const place = places[this.#place];
    if (place !== undefined && place.start < end) return place.entity;
    // Where cells are glued to words, a tracked name is neither a mention nor a new name.
    return this.#context.tracked.get(this.#keyOf(at, at + 1)) ?? null;
  }

  /** Where a run of words with capitals and models ends that begins at a token. */
  #runEnd(start: number): number {
    const isUncased = ((tokens.bits[start] ?? 0) & TokenBits.uncased) !== 0;
    let at = start + 1;
    while (at < tokens.starts.length && !isUncased) {
      const bits = tokens.bits[at] ?? 0;
      if ((bits & TokenBits.joined) === 0 || (bits & TokenBits.uncased) !== 0) break;
      if (this.#isTracked(at)) break;
      at += 1;
    }
    return at;
  }

  /** As trackedAt, for a token further on. */
  #isTracked(at: number): boolean {
    const { places } = this.#context;
    const [start = 0, end = 0] = [tokens.starts[at], tokens.ends[at]];
    for (let next = this.#place; next < places.length; next += 1) {
      const place = places[next];
      if (place === undefined || place.start >= end) return false;
      if (place.end > start) return true;
    }
    return false;
  }

  #readRun(first: number, end: number, owner: number | null): void {
    const { bits } = tokens;
    const start = bits[first] ?? 0;
    if ((start & TokenBits.uncased) !== 0) {
      this.#readUncased(first);
      return;
    }
    let from = first;
    while (from < end && this.#isNever(from)) from += 1;
    if (from === end) return;
    const isFirst =
      from === first && (start & (TokenBits.lineStart | TokenBits.sentenceStart)) !== 0;
    let words = from;
    while (words < end && isWord(bits[words] ?? 0)) words += 1;
    if (words === from) return;
    const heads = from === first && this.#isHead(first, end);
    const marked = heads || this.#isMarked(from);
    const hasModel = words < end;
    if (this.#hasCapitalNouns && !marked && !this.#isCited(from, words)) return;
    // A word at the beginning of a sentence has its capital anyway.
    if (isFirst && !marked && words - from === 1 && !hasModel && !this.#isCited(from, words))
      return;
    for (let last = from + 1; last <= Math.min(words, from + wordsMax); last += 1) {
      // What an ampersand joins is one name.
      if (last < words && (tokens.starts[last] ?? 0) - (tokens.ends[last - 1] ?? 0) === 3) continue;
      const leads = last < end;
      this.#add(from, last, {
        owner,
        bits:
          (marked ? NameBits.marked : 0) |
          (leads ? NameBits.leads : 0) |
          (owner === null ? 0 : NameBits.owned),
      });
    }
  }

  /** Scripts without capitals rest on places alone. */
  #readUncased(at: number): void {
    const start = tokens.starts[at] ?? 0;
    const mark = this.#markAt(start);
    const inMark = mark !== null && mark.start === start;
    const end = inMark ? mark.end : headEnd(this.#text, start, tokens.bits[at] ?? 0);
    if (end === null || end - start > uncasedMax) return;
    const name = this.#text.slice(start, end).trim();
    if (!uncasedName.test(name)) return;
    this.#put(
      name,
      { start, end: start + name.length },
      { bits: NameBits.marked | NameBits.onlyMarked, owner: null },
    );
  }

  #isNever(at: number): boolean {
    if (((tokens.bits[at] ?? 0) & TokenBits.name) === 0) return true;
    if (isEveryday(this.#keyOf(at, at + 1))) return true;
    // Heads of columns that a copied page glues together: `ModelWhy`.
    return gluedTail.test(this.#text.slice(tokens.starts[at], tokens.ends[at]));
  }

  #keyOf(from: number, to: number): string {
    return nameKey(this.#text.slice(tokens.starts[from], tokens.ends[to - 1]));
  }

  #isCited(from: number, to: number): boolean {
    if (this.#domains.size === 0) return false;
    for (let last = from + 1; last <= to; last += 1) {
      if (this.#domains.has(this.#keyOf(from, last))) return true;
    }
    return false;
  }

  /** Whether a run is all that a line, an item or a cell begins with. */
  #isHead(first: number, end: number): boolean {
    if (((tokens.bits[first] ?? 0) & TokenBits.lineStart) === 0) return false;
    const next = tokens.bits[end] ?? 0;
    if ((next & TokenBits.glued) !== 0 && tokens.starts[end] === tokens.ends[end - 1]) return true;
    return afterHead.test(this.#text.slice(tokens.ends[end - 1], (tokens.ends[end - 1] ?? 0) + 4));
  }

  #isMarked(at: number): boolean {
    const start = tokens.starts[at] ?? 0;
    const mark = this.#markAt(start);
    return mark !== null && mark.start <= start;
  }

  /** The mark around a place; null: none. */
  #markAt(start: number): TextSpan | null {
    for (let mark = this.#marks[this.#mark]; mark; mark = this.#marks[this.#mark]) {
      if (mark.end > start) return mark.start <= start ? mark : null;
      this.#mark += 1;
    }
    return null;
  }

  #add(from: number, to: number, found: Pick<UntrackedName, "bits" | "owner">): void {
    const [start = 0, end = 0] = [tokens.starts[from], tokens.ends[to - 1]];
    this.#put(this.#text.slice(start, end), { start, end }, found);
  }

  #put(name: string, span: TextSpan, { bits, owner }: Pick<UntrackedName, "bits" | "owner">): void {
    const key = nameKey(name);
    const { tracked } = this.#context;
    if (key.length < charactersMin || name.length > charactersMax) return;
    if (/\n/.test(name) || isEveryday(key) || tracked.has(key)) return;
    const before = this.#names.get(key);
    const domain = this.#domains.get(key) ?? "";
    const all = bits | (domain === "" ? 0 : NameBits.cited);
    if (before !== undefined) {
      this.#names.set(key, {
        ...before,
        bits: before.bits | all,
        owner: before.owner ?? owner,
      });
      return;
    }
    const place = this.#entities.size + 1;
    this.#names.set(key, { key, name, ...span, bits: all, place, owner, domain });
  }
}

const gluedTail = /^\p{Lu}\p{Ll}{2,}(?:Approx|Best|Estimated|Good|How|It|Range|What|Why|Who)$/u;

const isWord = (bits: number) => (bits & TokenBits.name) !== 0 && (bits & TokenBits.digits) === 0;

const afterHead = /^[*_\])”"]{0,3}(?:$|\n| ?[—–:|(→•]| - |,\s?\d)/u;

/** The end of the head of a line in a script without capitals; null: it begins with none. */
function headEnd(text: string, start: number, bits: number): number | null {
  if ((bits & TokenBits.lineStart) === 0) return null;
  const head = text.slice(start, start + uncasedMax + 1);
  const end = head.search(/[\n:：—–|（(、]/u);
  return end > 0 ? start + end : null;
}

/** A longer text in a script without capitals is prose. */
const uncasedMax = 24;

const uncasedName = /^[\p{L}\p{M}\p{N} &・ー.-]+$/u;

/** What is marked as a name by signs around it. */
const marks: readonly (readonly [sign: string, RegExp])[] = [
  ["**", /\*\*([^*\n]{1,60})\*\*/g],
  ["__", /__([^_\n]{1,60})__/g],
  ["](", /\[([^\][\n]{1,60})\]\(/g],
  ["“", /“([^“”\n]{1,40})”/g],
  ["„", /„([^„“”\n]{1,40})[“”]/g],
  ["«", /«\s?([^«»\n]{1,40})\s?»/g],
  ["「", /「([^「」\n]{1,40})」/g],
  ["『", /『([^『』\n]{1,40})』/g],
];

/** The spans of a text that signs mark, in order of their starts. */
function marksIn(text: string): readonly TextSpan[] {
  const found: TextSpan[] = [];
  for (const [sign, pattern] of marks) {
    if (!text.includes(sign)) continue;
    for (const match of text.matchAll(pattern)) {
      const inner = match[1] ?? "";
      const start = match.index + match[0].indexOf(inner);
      found.push({ start, end: start + inner.length });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Words that nearly every German text has. */
const germanWords = ["und", "der", "das", "ist", "nicht", "mit", "für", "ein", "eine", "auf"].map(
  (word) => NameTokens.hashOf(word),
);
/** So many of them in a text say that it is German. */
const germanMin = 3;
