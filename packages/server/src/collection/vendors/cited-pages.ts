import { urlCharactersMax } from "../../answers/intake/answer-schema.ts";
import type { AnswerWarning, CollectedCitation } from "../adapter.ts";
import type { JsonObject } from "./read-json.ts";

/** A range of the text, in UTF-16 code units; half-open. */
export type Span = CollectedCitation["spans"][number];

/** A page that a provider retrieved. */
export interface RetrievedPage {
  readonly url: string;
  readonly title: string | null;
}

/** A citation of a page. */
export interface CitedPage extends RetrievedPage {
  /** The citing range; null: unknown. */
  readonly span: Span | null;
}

interface Gathered {
  title: string | null;
  readonly cited: boolean;
  readonly spans: Span[];
}

/**
 * The citations of an answer, once per URL: cited pages in the order of their first citation, then
 * those only retrieved, in their order.
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

/** Sorts ranges and merges overlapping ones, which cite the same page. */
function disjoint(spans: readonly Span[]): readonly Span[] {
  const apart: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = apart.at(-1);
    if (last === undefined || span.start >= last.end) apart.push(span);
    else apart[apart.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
  }
  return apart;
}

/**
 * Sorts citations by range if all ranges are known; otherwise the vendor's order is that of the
 * text.
 */
function inOrderOfText(cited: readonly CitedPage[]): readonly CitedPage[] {
  if (cited.some(({ span }) => span === null)) return cited;
  return cited.toSorted((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0));
}

/** The size of a code point in each unit in which vendors count offsets. */
const sizes = {
  "UTF-8 bytes": bytesOf,
  "code points": () => 1,
  /** The unit of JavaScript. */
  "UTF-16 code units": (codePoint: number) => (codePoint < 0x10000 ? 1 : 2),
} as const;

/** A unit in which a vendor counts offsets. */
type OffsetUnit = keyof typeof sizes;

const surrogate = /[\ud800-\udfff]/;
const beyondAscii = /[\u0080-\uffff]/;

/**
 * Converts offsets into a text from a vendor's unit to UTF-16 code units; null: the offset is
 * outside the text or within a character, and so meaningless.
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

/** Offset in the unit → UTF-16 offset, or -1 within a character. */
function placesOf(text: string, sizeOf: (codePoint: number) => number): Int32Array {
  const places = new Int32Array(text.length * 3 + 1).fill(-1); // the most bytes per code unit
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
 * Counts the unreadable sources of a reply. They are dropped: the reply's text is complete, so the
 * rest is an answer.
 */
export class DamagedSources {
  readonly #byReason = new Map<string, number>();

  /** Counts a source that is dropped entirely or in part. */
  add(reason: string): void {
    this.#byReason.set(reason, (this.#byReason.get(reason) ?? 0) + 1);
  }

  /** The page of an object of a reply; null: its URL cannot be read, which is counted. */
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

  /** The pages of a list, without unreadable ones. */
  pagesOf(list: readonly JsonObject[], field: string): readonly RetrievedPage[] {
    return list.flatMap((holder) => this.pageAt(holder, field) ?? []);
  }

  /** The warnings by reason, in the order of their first occurrence. */
  get warnings(): readonly AnswerWarning[] {
    return [...this.#byReason].map(([reason, count]) => ({ reason, count }));
  }
}
