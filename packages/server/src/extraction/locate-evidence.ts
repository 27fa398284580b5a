import { canonicalUrl } from "./canonical-url.ts";
import type { AnswerContent } from "./compile-extractor.ts";
import { compileDomainTable, domainOf, type UrlOwner } from "./domains.ts";
import type { EntityRule } from "./entity-rule.ts";
import { compileNameMatcher, type NameMatch } from "./name-matcher.ts";
import { type Cue, portray } from "./portrayal/portrayal.ts";

/** A mention in the stored text: its position there in UTF-16 units, its entity and its rank. */
interface LocatedMention extends NameMatch {
  /** The entity's rank in the answer, from 1; the same for each of its mentions. */
  readonly rank: number;
  /** What the text says of the entity, at the mention that is nearest to the words that say so. */
  readonly cues: readonly Cue[];
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
 * extraction finds; it agrees with `compileExtractor`.
 */
export function compileEvidenceLocator(entities: readonly EntityRule[]): EvidenceLocator {
  const locate = compileNameMatcher(entities);
  const ownersOf = compileDomainTable(entities);
  return ({ text, citations }) => {
    const seen = new Set<string>();
    return {
      mentions: portrayed(text, locate(text)),
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

/** Mentions with their ranks and what is said of each. */
function portrayed(text: string, matches: readonly NameMatch[]): readonly LocatedMention[] {
  if (matches.length === 0) return [];
  const ranks = new Map<number, number>();
  const cuesAt = new Map<NameMatch, Cue[]>();
  const byEntity = Map.groupBy(matches, ({ entity }) => entity);
  for (const [entity, cues] of portray(text, matches).cues) {
    const own = byEntity.get(entity) ?? [];
    let nearest = 0;
    // Both are in the order of the text.
    for (const cue of cues) {
      while (distance(own[nearest + 1], cue) < distance(own[nearest], cue)) nearest += 1;
      const match = own[nearest];
      if (match !== undefined) cuesAt.set(match, [...(cuesAt.get(match) ?? []), cue]);
    }
  }
  return matches.map((match) => {
    const rank = ranks.get(match.entity) ?? ranks.size + 1;
    ranks.set(match.entity, rank);
    return { ...match, rank, cues: cuesAt.get(match) ?? [] };
  });
}

function distance(match: NameMatch | undefined, { start, end }: Cue): number {
  if (match === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(match.start - end, start - match.end, 0);
}
