import tldts from "tldts/package.json" with { type: "json" };
import { canonicalUrl } from "./canonical-url.ts";
import { compileDomainTable, domainOf } from "./domains.ts";
import type { EntityRule } from "./entity-rule.ts";
import { compileNameMatcher, type NameMatch } from "./name-matcher.ts";
import { nameKey } from "./names/name-key.ts";
import { type NamesRead, readNames } from "./names/name-reader.ts";
import {
  type Portrayal,
  type PortrayalFlag,
  portray,
  portrayalVersion,
} from "./portrayal/portrayal.ts";

/**
 * Incremented with every change of code or tables that can alter a mention, rank, URL or domain.
 */
const rules = 4;

/**
 * The version of the extraction rules, including those of the public suffix list, of which each
 * release of `tldts` contains its own, and of the portrayal. The snapshot of the facts adds the
 * runtime's Unicode version. When any of them changes, every stored answer is read again.
 */
export const extractionVersion: string = [
  `rules ${rules}`,
  `tldts ${tldts.version}`,
  `portrayal ${portrayalVersion}`,
].join(", ");

/** The parts of an answer that are read. */
export interface AnswerContent {
  /** Markdown, as the provider gave it. */
  readonly text: string;
  readonly citations: readonly { readonly url: string; readonly cited: boolean }[];
}

/** The result of reading an answer. Entities are given by their indexes in the rules. */
export interface Extraction {
  /**
   * The entities mentioned, in the order of first mention: an entity's rank is its position here,
   * from 1.
   */
  readonly mentions: readonly number[];
  /**
   * The language in which the text was read for how it speaks of them, as a BCP 47 primary subtag;
   * null: no table reads it, or it mentions none of them.
   */
  readonly language: string | null;
  /** What the text says of those that it mentions; an entity that is missing: nothing. */
  readonly flags: ReadonlyMap<number, ReadonlySet<PortrayalFlag>>;
  /** The entities cited, ascending, each once. */
  readonly citedEntities: readonly number[];
  /** The canonical URLs cited, each once, in the order of first citation, each with its domain. */
  readonly citations: readonly { readonly url: string; readonly domain: string }[];
}

/** The result of reading an answer, with the names that nobody tracks. */
export interface FullExtraction extends Extraction, NamesRead {}

/** Reads one answer. Pure; never throws, on any text. */
export type Extractor = (answer: AnswerContent) => Extraction;

/**
 * Compiles the rules of an account's entities into a function that reads its answers in time linear
 * in the answer.
 */
export function compileExtractor(entities: readonly EntityRule[]): Extractor {
  const read = compileReader(entities);
  return (answer) => read(answer).extraction;
}

/** The same, for readers that also want the names that nobody tracks. */
export function compileFullExtractor(
  entities: readonly EntityRule[],
): (answer: AnswerContent) => FullExtraction {
  const read = compileReader(entities);
  const tracked = new Map(
    entities.flatMap(({ names }, entity) =>
      names.map(({ text }): [string, number] => [nameKey(text), entity]),
    ),
  );
  return (answer) => {
    const { places, owners, extraction } = read(answer);
    const domains = new Set(extraction.citations.map(({ domain }) => domain));
    return { ...extraction, ...readNames(answer.text, { places, domains, owners, tracked }) };
  };
}

/** What an answer says, where it names entities, and who owns the domains that it cites. */
interface Reading {
  readonly places: readonly NameMatch[];
  readonly owners: ReadonlyMap<string, number>;
  readonly extraction: Extraction;
}

function compileReader(entities: readonly EntityRule[]): (answer: AnswerContent) => Reading {
  const locate = compileNameMatcher(entities);
  const ownersOf = compileDomainTable(entities);
  return ({ text, citations }) => {
    const domains = new Map<string, string>();
    const cited = new Set<number>();
    const owners = new Map<string, number>();
    for (const citation of citations) {
      const url = citation.cited ? canonicalUrl(citation.url) : null;
      if (url === null || domains.has(url)) continue;
      domains.set(url, domainOf(url));
      for (const { entity, rule } of ownersOf(url)) {
        cited.add(entity);
        if (!rule.includes("/")) owners.set(domainOf(url), entity);
      }
    }
    const places = locate(text);
    const { language, cues } = places.length === 0 ? unread : portray(text, places);
    const flags = Array.from(cues, ([entity, own]) => {
      return [entity, new Set(own.map(({ flag }) => flag))] as const;
    });
    const extraction = {
      mentions: [...new Set(places.map(({ entity }) => entity))],
      language,
      flags: new Map(flags),
      citedEntities: [...cited].sort((a, b) => a - b),
      citations: Array.from(domains, ([url, domain]) => ({ url, domain })),
    };
    return { places, owners, extraction };
  };
}

const unread: Portrayal = { language: null, cues: new Map() };
