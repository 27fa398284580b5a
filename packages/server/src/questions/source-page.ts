import type { SourceAnalysisResponse } from "@sightline/contract";
import type { SourcesQuestion } from "../facts/plan/question.ts";
import type { SourcesFacts } from "../facts/plan/source-gaps.ts";

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
