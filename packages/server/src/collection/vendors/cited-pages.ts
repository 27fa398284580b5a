import type { CollectedCitation } from "../adapter.ts";

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
