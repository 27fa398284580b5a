import type { SourceAnalysisResponse } from "@sightline/contract";
import { canonicalUrl } from "../extraction/index.ts";
import type { SourcesFacts } from "../facts/engine.ts";
import type { CitedSource, SourcesQuestion } from "../facts/plan/question.ts";

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
