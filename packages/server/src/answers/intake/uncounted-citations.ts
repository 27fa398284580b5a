// Imported directly: the index would load the public suffix list, which an import does not need.
import { canonicalUrl } from "../../extraction/canonical-url.ts";
import type { AnswerCitation } from "../answer.ts";

/**
 * The number of an answer's citations that are stored but never counted, because their URL is
 * invalid.
 */
export function uncountedCitations(citations: readonly AnswerCitation[]): number {
  return citations.filter(({ url, cited }) => cited && canonicalUrl(url) === null).length;
}
