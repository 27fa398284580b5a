import { compileEvidenceLocator } from "../../packages/server/src/extraction/index.ts";
import {
  type CitedPage,
  type LabelledAnswer,
  type NamedPlace,
  namesOf,
  type Reading,
  ranksOf,
} from "./labels.ts";

/** Reads an answer without its labels. */
type Read<Found> = (answered: Pick<LabelledAnswer, "answer" | "entities">) => Found;

/** A rule by its name in the tables. */
export interface Rule<Found> {
  readonly name: string;
  readonly read: Read<Found>;
}

type Span = Pick<NamedPlace, "start" | "end">;

/** Sightline's extraction, which is imported: no rule of it stands here. */
export const sightline: Rule<Reading> = {
  name: "Sightline",
  read: ({ answer, entities }) => {
    const locate = compileEvidenceLocator(
      entities.map((entity) => ({
        names: namesOf(entity),
        domains: entity.domains,
        except: entity.except ?? [],
      })),
    );
    const found = locate(answer);
    const mentions = found.mentions.map(({ entity, start, end }) => ({
      entity: entities[entity]?.name ?? "",
      start,
      end,
    }));
    const citations = found.citations.flatMap(({ verdict, canonicalUrl, domain }) =>
      verdict === "counted" && canonicalUrl !== null && domain !== null
        ? [{ canonicalUrl, domain }]
        : [],
    );
    return { mentions, ranks: ranksOf(mentions), citations };
  },
};

/** Rules that others publish for names, in a few lines each. They know neither case nor except. */
export const nameRules: readonly Rule<readonly NamedPlace[]>[] = [
  { name: "Substring", read: namesBy((text) => (name) => spansOf(text, escaped(name))) },
  {
    name: "Words by ASCII `\\b`",
    read: namesBy((text) => (name) => spansOf(text, `\\b${escaped(name)}\\b`, "gi")),
  },
  {
    name: "Whole words of three letters or more",
    read: namesBy((text) => (name) => (name.length < 3 ? [] : wholeWords(text, name))),
  },
  { name: "Words by `Intl.Segmenter`", read: namesBy(segmentedWords) },
  { name: "Whole words in bold and headings", read: namesBy(emphasized) },
];

/** Rules that others publish for the sources of an answer; see `pagesBy`. */
export const pageRules: readonly Rule<readonly CitedPage[]>[] = [
  { name: "URL as given", read: pagesBy((url) => url) },
  { name: "Without `www.`, `utm_…` and fragment", read: pagesBy(withoutMarks) },
];

/** Finds the places of a name in one text. */
type FindName = (name: string) => readonly Span[];

/** Every place of every name; of an entity's names that overlap, the longest. */
function namesBy(finderIn: (text: string) => FindName): Read<readonly NamedPlace[]> {
  return ({ answer, entities }) => {
    const find = finderIn(answer.text);
    const places = entities.flatMap((entity) => {
      const all = outermost(namesOf(entity).flatMap(({ text }) => find(text)));
      return all.map(({ start, end }) => ({ entity: entity.name, start, end }));
    });
    return places.sort((a, b) => a.start - b.start);
  };
}

function outermost(spans: readonly Span[]): readonly Span[] {
  const kept: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (span.start >= (kept.at(-1)?.end ?? 0)) kept.push(span);
  }
  return kept;
}

function spansOf(text: string, pattern: string, flags = "giu"): readonly Span[] {
  const found = text.matchAll(new RegExp(pattern, flags));
  return Array.from(found, ({ 0: { length }, index }) => ({ start: index, end: index + length }));
}

function escaped(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function wholeWords(text: string, name: string): readonly Span[] {
  return spansOf(text, `(?<![\\p{L}\\p{N}])${escaped(name)}(?![\\p{L}\\p{N}])`);
}

const segmenter = new Intl.Segmenter("en", { granularity: "word" });

function segmentedWords(text: string): FindName {
  const edges = new Set(Array.from(segmenter.segment(text), ({ index }) => index));
  edges.add(text.length);
  return (name) =>
    spansOf(text, escaped(name)).filter(({ start, end }) => edges.has(start) && edges.has(end));
}

const emphasis = /\*\*[^*\n]+\*\*|__[^_\n]+__|^#{1,6} .+$/gm;

function emphasized(text: string): FindName {
  const parts = [...text.matchAll(emphasis)];
  return (name) =>
    parts.flatMap(({ 0: part, index }) =>
      wholeWords(part, name).map(({ start, end }) => ({ start: start + index, end: end + index })),
    );
}

/**
 * The cited web pages, each once, in the form that `form` gives them; the domain is the host. That
 * the labels' form has https and no trailing slash is a convention, and no rule is judged by it.
 */
function pagesBy(form: (url: URL) => URL): Read<readonly CitedPage[]> {
  return ({ answer }) => {
    const urls = answer.citations.filter(({ cited }) => cited).map(({ url }) => URL.parse(url));
    const pages = urls.flatMap((url): [string, CitedPage][] => {
      if (url?.protocol !== "https:" && url?.protocol !== "http:") return [];
      const page = form(new URL(url));
      page.protocol = "https:";
      page.pathname = page.pathname.replace(/\/+$/, "");
      return [[page.href, { canonicalUrl: page.href, domain: page.hostname }]];
    });
    return [...new Map(pages).values()];
  };
}

function withoutMarks(url: URL): URL {
  url.hostname = url.hostname.replace(/^www\./, "");
  url.hash = "";
  for (const name of [...url.searchParams.keys()]) {
    if (name.startsWith("utm_")) url.searchParams.delete(name);
  }
  return url;
}
