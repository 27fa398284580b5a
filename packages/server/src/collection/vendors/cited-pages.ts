import { urlCharactersMax } from "../../answers/intake/answer-schema.ts";
import type { AnswerWarning, CollectedCitation } from "../adapter.ts";
import type { JsonObject } from "./read-json.ts";

/** A part of the text, in UTF-16 code units; half-open. */
export type Span = CollectedCitation["spans"][number];

/** A page that a provider retrieved. */
export interface RetrievedPage {
  readonly url: string;
  readonly title: string | null;
}

/** One citing of a page. */
export interface CitedPage extends RetrievedPage {
  /** Null: the provider does not say which part of the text cites it. */
  readonly span: Span | null;
}

interface Gathered {
  title: string | null;
  readonly cited: boolean;
  readonly spans: Span[];
}

/**
 * The citations of an answer, once per URL: those cited in order of first citing, then those that
 * were only retrieved, in their order.
 */
export function citationsOf(
  cited: readonly CitedPage[],
  retrieved: readonly RetrievedPage[],
): readonly CollectedCitation[] {
  const pages = new Map<string, Gathered>();
  const gather = ({ url, title }: RetrievedPage, isCited: boolean): Gathered => {
    const page = pages.get(url) ?? { title, cited: isCited, spans: [] };
    page.title ??= title;
    pages.set(url, page);
    return page;
  };
  for (const page of inOrderOfText(cited)) {
    const { spans } = gather(page, true);
    if (page.span !== null) spans.push(page.span);
  }
  for (const page of retrieved) gather(page, false);
  return [...pages].map(([url, { title, cited: isCited, spans }]) => ({
    url: url.toWellFormed(),
    title: title?.toWellFormed() ?? null,
    cited: isCited,
    spans: disjoint(spans),
  }));
}

/** In the order of the text. Those that overlap become one: both of them cite the same page. */
function disjoint(spans: readonly Span[]): readonly Span[] {
  const apart: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = apart.at(-1);
    if (last === undefined || span.start >= last.end) apart.push(span);
    else apart[apart.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
  }
  return apart;
}

/** Vendors list citings in the order of the text; where all places are known, they decide. */
function inOrderOfText(cited: readonly CitedPage[]): readonly CitedPage[] {
  if (cited.some(({ span }) => span === null)) return cited;
  return cited.toSorted((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0));
}

/** How many of each unit that a vendor counts offsets in a character takes. */
const sizes = {
  "UTF-8 bytes": bytesOf,
  "code points": () => 1,
  /** As JavaScript counts. */
  "UTF-16 code units": (codePoint: number) => (codePoint < 0x10000 ? 1 : 2),
} as const;

/** What a vendor counts offsets in. */
type OffsetUnit = keyof typeof sizes;

const surrogate = /[\ud800-\udfff]/;
const beyondAscii = /[\u0080-\uffff]/;

/**
 * Turns offsets into a text from a vendor's unit into UTF-16 code units. Null: the offset lies
 * outside the text or within a character, so that it means nothing.
 */
export function offsetsIn(text: string, unit: OffsetUnit): (offset: number) => number | null {
  const within = (offset: number, last: number): boolean =>
    Number.isInteger(offset) && offset >= 0 && offset <= last;
  if (!(unit === "UTF-8 bytes" ? beyondAscii : surrogate).test(text)) {
    return (offset) => (within(offset, text.length) ? offset : null);
  }
  const places = placesOf(text, sizes[unit]);
  return (offset) => {
    const place = within(offset, places.length - 1) ? places[offset] : undefined;
    return place === undefined || place < 0 ? null : place;
  };
}

/** By offset in the unit: the UTF-16 offset, or -1 within a character. */
function placesOf(text: string, sizeOf: (codePoint: number) => number): Int32Array {
  const places = new Int32Array(text.length * 3 + 1).fill(-1); // no code unit takes more bytes
  let [offset, place] = [0, 0];
  for (const character of text) {
    places[offset] = place;
    offset += sizeOf(character.codePointAt(0) ?? 0);
    place += character.length;
  }
  places[offset] = place;
  return places.subarray(0, offset + 1);
}

function bytesOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}

/**
 * The sources of a reply that cannot be read. Its text is whole, and what it mentions is sure: they
 * are dropped and counted, and the rest is an answer.
 */
export class DamagedSources {
  readonly #byReason = new Map<string, number>();

  /** Notes a source that is dropped, or a part of one. */
  add(reason: string): void {
    this.#byReason.set(reason, (this.#byReason.get(reason) ?? 0) + 1);
  }

  /** The page that an object of a reply names; null: its URL cannot be read, which is noted. */
  pageAt(
    holder: JsonObject,
    field: string,
    { title: titleField = "title" }: { readonly title?: string } = {},
  ): RetrievedPage | null {
    const url = holder[field];
    if (typeof url !== "string" || url.trim() === "") {
      this.add(`a source lacks "${field}"`);
      return null;
    }
    if (url.length > urlCharactersMax) {
      this.add("the URL of a source is too long");
      return null;
    }
    const title = holder[titleField] ?? null;
    if (title === null || typeof title === "string") return { url, title };
    this.add(`"${titleField}" of a source is not a text`);
    return { url, title: null };
  }

  /** The pages of a list, without those that cannot be read. */
  pagesOf(list: readonly JsonObject[], field: string): readonly RetrievedPage[] {
    return list.flatMap((holder) => this.pageAt(holder, field) ?? []);
  }

  /** By reason, in the order in which they were found. */
  get warnings(): readonly AnswerWarning[] {
    return [...this.#byReason].map(([reason, count]) => ({ reason, count }));
  }
}
