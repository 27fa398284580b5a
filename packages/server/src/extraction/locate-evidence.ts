import { canonicalUrl } from "./canonical-url.ts";
import type { AnswerContent } from "./compile-extractor.ts";
import { linkCuts } from "./cut-links.ts";
import { compileDomainTable, domainOf, type UrlOwner } from "./domains.ts";
import type { EntityRule } from "./entity-rule.ts";
import { compileNameMatcher, type NameMatch, type NameMatcher } from "./name-matcher.ts";
import { edited, traceOf } from "./text-edits.ts";

/** A mention in the stored text: its position there in UTF-16 units, its entity and its rank. */
interface LocatedMention extends NameMatch {
  /** The entity's rank in the answer, from 1; the same for each of its mentions. */
  readonly rank: number;
}

/**
 * Why a citation counts or not: it counts; the provider retrieved the page but did not cite it; it
 * is not an http(s) URL; its canonical URL was already cited in the same answer.
 */
type CitationVerdict = "counted" | "not_cited" | "not_a_web_url" | "repeated";

/** A recorded citation, and the result of its extraction. */
export interface LocatedCitation {
  /** As the provider gave it. */
  readonly url: string;
  /** Null: it is not an http(s) URL. */
  readonly canonicalUrl: string | null;
  /** Null: it is not an http(s) URL. */
  readonly domain: string | null;
  /** The entities that own the URL, once per matching rule. */
  readonly owners: readonly UrlOwner[];
  readonly verdict: CitationVerdict;
}

/** The evidence in an answer, with positions. Entities are given by their indexes in the rules. */
interface Evidence {
  /** Every mention, in the order of the text. */
  readonly mentions: readonly LocatedMention[];
  /** Every citation, in the order recorded. */
  readonly citations: readonly LocatedCitation[];
}

/** Reads one answer. Pure; never throws, on any text. */
export type EvidenceLocator = (answer: AnswerContent) => Evidence;

/**
 * Compiles the rules of an account's entities into a function that locates in an answer what the
 * extraction finds. It agrees with `compileExtractor`, which is faster.
 */
export function compileEvidenceLocator(entities: readonly EntityRule[]): EvidenceLocator {
  const matcher = compileNameMatcher(entities);
  const ownersOf = compileDomainTable(entities);
  return ({ text, citations }) => {
    const seen = new Set<string>();
    return {
      mentions: ranked(located(text, matcher)),
      citations: citations.map(({ url, cited }): LocatedCitation => {
        const canonical = canonicalUrl(url);
        if (canonical === null) {
          const verdict = cited ? "not_a_web_url" : "not_cited";
          return { url, canonicalUrl: null, domain: null, owners: [], verdict };
        }
        const verdict = cited ? (seen.has(canonical) ? "repeated" : "counted") : "not_cited";
        if (cited) seen.add(canonical);
        const [domain, owners] = [domainOf(canonical), ownersOf(canonical)];
        return { url, canonicalUrl: canonical, domain, owners, verdict };
      }),
    };
  };
}

function located(text: string, { locate, isName }: NameMatcher): readonly NameMatch[] {
  const cuts = linkCuts(text, isName);
  const inText = traceOf(cuts);
  return locate(edited(text, cuts)).map((match) => ({ ...match, ...inText(match) }));
}

function ranked(matches: readonly NameMatch[]): readonly LocatedMention[] {
  const ranks = new Map<number, number>();
  return matches.map((match) => {
    const rank = ranks.get(match.entity) ?? ranks.size + 1;
    ranks.set(match.entity, rank);
    return { ...match, rank };
  });
}
