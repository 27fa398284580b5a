// By itself: the index would load the public suffix list, which an import has no use for.
import { canonicalUrl } from "../../extraction/canonical-url.ts";
import type { AnswerCitation } from "../answer.ts";

/** How many of an answer's citations are kept and never counted, since their URL is none. */
export function uncountedCitations(citations: readonly AnswerCitation[]): number {
  return citations.filter(({ url, cited }) => cited && canonicalUrl(url) === null).length;
}
