import type { SourceAnalysisResponse } from "@sightline/contract";
import type { SourcesQuestion } from "./question.ts";
import type { RollupChoice } from "./rollups.ts";

/** What the facts say to a page of sources. */
export interface SourcesFacts {
  /** Distinct sources that pass the filters. */
  readonly total: number;
  /** Citations that pass the filters: all of them, not only the page's. */
  readonly citations: number;
  /** The page, in order. */
  readonly page: readonly { readonly source: string; readonly citations: number }[];
  /** Null: no row can pass the filters, so none was read. */
  readonly choice: RollupChoice | null;
}

/** The reply of operation 5. */
export function toSourcePage(
  question: SourcesQuestion,
  { total, citations, page }: Omit<SourcesFacts, "choice">,
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
