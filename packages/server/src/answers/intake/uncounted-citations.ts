import { canonicalUrl } from "../../extraction/index.ts";
import type { AnswerCitation } from "../answer.ts";

/** How many of an answer's citations are kept and never counted, since their URL is none. */
export function uncountedCitations(citations: readonly AnswerCitation[]): number {
  return citations.filter(({ url, cited }) => cited && canonicalUrl(url) === null).length;
}
