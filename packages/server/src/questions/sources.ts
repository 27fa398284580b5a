import type { SourceAnalysisResponse } from "@sightline/contract";
import type { PlanUsed } from "../facts/plan/plan.ts";
import type { SourcesQuestion, CitedSource } from "../facts/plan/question.ts";
import { canonicalUrl } from "../extraction/index.ts";

/** What the facts say to a page of sources. */
export interface SourcesFacts {
  /** Distinct sources that pass the filters. */
  readonly total: number;
  /** Citations that pass the filters: all of them, not only the page's. */
  readonly citations: number;
  /** The page, in order. */
  readonly page: readonly { readonly source: string; readonly citations: number }[];
  readonly used: PlanUsed;
}

/** The reply of operation 5. */
export function toSourcePage(
  question: SourcesQuestion,
  { total, citations, page }: Omit<SourcesFacts, "used">,
): SourceAnalysisResponse {
  const { groupBy, limit, offset } = question;
  return {
    groupBy,
    sources: page.map(({ source, citations: own }) => ({
      source,
      share: own / citations,
      citations: own,
    })),
    pagination: { total, limit, offset, hasMore: offset + page.length < total },
  };
}

/** A source as the facts name it; null in, null out. No fact names a URL that is none. */
export function canonicalSource(source: CitedSource | null): CitedSource | null {
  if (source === null || source.url === null) return source;
  return { ...source, url: canonicalUrl(source.url) ?? "" };
}
