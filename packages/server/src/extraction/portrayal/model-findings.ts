import { type PortrayalFlag, portrayalFlags } from "./cue-table.ts";
import type { NamedPlace } from "./words.ts";

/** What a model may say of an entity: a flag of portrayal, or that an aspect is described. */
type FindingKind = PortrayalFlag | "claim";

/** The kinds of findings. */
export const findingKinds: readonly FindingKind[] = [...portrayalFlags, "claim"];

/** What an answer says of an entity by a model's reading, at the words that say so. */
export interface Finding {
  /** As in the names of the question. */
  readonly entity: number;
  readonly kind: FindingKind;
  /** What it is about, such as "price", in lower case; null: a flag without an aspect. */
  readonly aspect: string | null;
  /** The quote in the text, in UTF-16 units; half-open. */
  readonly start: number;
  readonly end: number;
}

/** Why a model's finding does not count. */
export const dropReasons = [
  /** A field is missing or is not as the question asks for it. */
  "malformed",
  /** The entity is none of those that the question names. */
  "unknown_entity",
  /** The quote is not in the text, character by character. */
  "not_verbatim",
  /** The quote consists of names. */
  "only_names",
  /** The quote stands in no sentence that names the entity, and below another name. */
  "elsewhere",
  /** The reply has the same finding before. */
  "repeated",
  /** The reply has `findingsMax` findings before. */
  "too_many",
] as const;

/** One of the reasons. */
export type DropReason = (typeof dropReasons)[number];

/** What of a model's reply counts. */
interface VerifiedReply {
  /** In the order of the reply. */
  readonly findings: readonly Finding[];
  /** The findings that do not count, by reason; reasons without any are left out. */
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>;
}

/** The answer that a model has read. */
interface ReadText {
  readonly text: string;
  /** Every place at which an entity is named, ascending and disjoint. */
  readonly places: readonly NamedPlace[];
  /** By what the model calls an entity, its number as in the places. */
  readonly names: ReadonlyMap<string, number>;
}

/** More than any answer says; a longer list is a model that repeats itself. */
export const findingsMax = 100;
/** A quote is the words that say something, not a paragraph around them. */
const quoteCharactersMax = 300;
/** Far more than the longest list of findings. */
const replyCharactersMax = 200_000;
/** A quote of two letters may stand anywhere; where it stands so often, it says nothing. */
const occurrencesMax = 1_000;
/** One or two words. */
const aspectCharactersMax = 40;

/**
 * Verifies what a model says of an answer. A finding counts only when its quote is a substring of
 * the text and stands where the entity is spoken of: the first occurrence in a sentence that names
 * the entity, else the first one above which the entity is the last that is named. Offsets are
 * those of this occurrence; what the model says of places is never read.
 *
 * Pure; never throws, on any reply and any text.
 * @returns null: the reply is not a JSON object with a list of findings, such as one that was cut.
 */
export function verifiedReply(
  reply: string,
  { text, places, names }: ReadText,
): VerifiedReply | null {
  const listed = listedFindings(reply);
  if (listed === null) return null;
  const where = new Whereabouts(text, places);
  const findings: Finding[] = [];
  const dropped: Partial<Record<DropReason, number>> = {};
  const seen = new Set<string>();
  for (const item of listed) {
    const found = findings.length < findingsMax ? findingOf(item, names, where) : "too_many";
    const key = JSON.stringify(found);
    const result = typeof found !== "string" && seen.has(key) ? "repeated" : found;
    seen.add(key);
    if (typeof result === "string") dropped[result] = (dropped[result] ?? 0) + 1;
    else findings.push(result);
  }
  return { findings, dropped };
}

/** The items of a reply; null: it has another form. */
function listedFindings(reply: string): readonly unknown[] | null {
  if (reply.length > replyCharactersMax) return null;
  const json = reply.trim();
  // Models without structured output write JSON into a block of code.
  const isFenced = json.startsWith("```") && json.endsWith("```") && json.includes("\n");
  try {
    const value: unknown = JSON.parse(
      isFenced ? json.slice(json.indexOf("\n"), -"```".length) : json,
    );
    const listed = isObject(value) ? value["findings"] : null;
    return Array.isArray(listed) ? listed : null;
  } catch {
    return null;
  }
}

function findingOf(
  item: unknown,
  names: ReadText["names"],
  where: Whereabouts,
): Finding | DropReason {
  if (!isObject(item)) return "malformed";
  const { entity: name, kind: said, aspect: about = null, quote } = item;
  const kind = findingKinds.find((each) => each === said);
  const aspect = aspectOf(about);
  if (kind === undefined || aspect === undefined || typeof quote !== "string") return "malformed";
  if (kind === "claim" && aspect === null) return "malformed";
  const entity = typeof name === "string" ? names.get(name) : undefined;
  if (entity === undefined) return "unknown_entity";
  const found = where.find(quote, entity);
  return typeof found === "string" ? found : { entity, kind, aspect, ...found };
}

/** An aspect in the form in which aspects are counted; undefined: it is none. */
function aspectOf(about: unknown): string | null | undefined {
  if (about === null) return null;
  if (typeof about !== "string" || about.length > 2 * aspectCharactersMax) return undefined;
  const folded = about.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
  if (folded === "") return null;
  const isAspect = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} &+'’-]*$/u.test(folded);
  return isAspect && folded.length <= aspectCharactersMax ? folded : undefined;
}

type Span = Pick<Finding, "start" | "end">;

/** Where sentences begin: after a line, a full stop of CJK, or a stop and a space. */
const sentenceEnd = /\n|[。！？]|[.!?…]["'”’)\]*_]{0,4}\s/gu;
const twoLetters = /[\p{L}\p{N}].*[\p{L}\p{N}]/su;

/** Finds quotes in a text, and of whom it speaks there. */
class Whereabouts {
  readonly #text: string;
  readonly #places: readonly NamedPlace[];
  readonly #sentences: readonly number[];

  constructor(text: string, places: readonly NamedPlace[]) {
    this.#text = text;
    this.#places = places;
    const ends = [...text.matchAll(sentenceEnd)].map(({ 0: end, index }) => index + end.length);
    this.#sentences = [0, ...ends, text.length + 1];
  }

  find(quote: string, entity: number): Span | DropReason {
    const isShort = quote.length <= quoteCharactersMax && quote.isWellFormed();
    if (!isShort || !twoLetters.test(quote)) return "malformed";
    let [below, saysMore]: [Span | null, boolean] = [null, false];
    const spans = this.#spansOf(quote);
    for (const span of spans) {
      if (!this.#saysMoreThanNames(span)) continue;
      saysMore = true;
      if (this.#isNamedAround(span, entity)) return span;
      if (below === null && this.#isNamedAbove(span, entity)) below = span;
    }
    if (spans.length === 0) return "not_verbatim";
    return below ?? (saysMore ? "elsewhere" : "only_names");
  }

  /** Where a quote stands, in order. */
  #spansOf(quote: string): readonly Span[] {
    const spans: Span[] = [];
    let start = this.#text.indexOf(quote);
    while (start >= 0 && spans.length < occurrencesMax) {
      spans.push({ start, end: start + quote.length });
      start = this.#text.indexOf(quote, start + 1);
    }
    return spans;
  }

  #saysMoreThanNames({ start, end }: Span): boolean {
    let [rest, from] = ["", start];
    for (let at = firstAfter(this.#places, start, endOf); ; at += 1) {
      const place = this.#places[at];
      if (place === undefined || place.start >= end) break;
      rest += `${this.#text.slice(from, Math.max(from, place.start))} `;
      from = place.end;
    }
    return twoLetters.test(rest + this.#text.slice(from, Math.max(from, end)));
  }

  #isNamedAround({ start, end }: Span, entity: number): boolean {
    const own = (each: number) => each;
    const from = this.#sentences[firstAfter(this.#sentences, start, own) - 1] ?? 0;
    const to = this.#sentences[firstAfter(this.#sentences, end - 1, own)] ?? this.#text.length;
    for (let at = firstAfter(this.#places, from, endOf); ; at += 1) {
      const place = this.#places[at];
      if (place === undefined || place.start >= to) return false;
      if (place.entity === entity) return true;
    }
  }

  #isNamedAbove({ start }: Span, entity: number): boolean {
    const after = firstAfter(this.#places, start, ({ start: each }) => each);
    return this.#places[after - 1]?.entity === entity;
  }
}

const endOf = ({ end }: NamedPlace) => end;

/** The index of the first item whose number is above a limit; items ascend. */
function firstAfter<Item>(
  items: readonly Item[],
  limit: number,
  numberOf: (item: Item) => number,
): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && numberOf(item) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
