import type { AnswerWarning, Step, Usage } from "../adapter.ts";
import { type CitedPage, citationsOf, type RetrievedPage } from "./cited-pages.ts";
import { answered } from "./collected-answer.ts";

/** What a page shows of an assistant's answer, whichever vendor looked at it. */
export interface Capture {
  /** As Markdown. */
  readonly text: string;
  /** The pages that the answer shows as its sources, in the page's order. */
  readonly cited: readonly CitedPage[];
  /** Pages that were found for it, and are not shown with it. */
  readonly retrieved: readonly RetrievedPage[];
  readonly searchQueries: readonly string[];
  /** Null: pages do not name it, but some vendors do. */
  readonly model: string | null;
  readonly warnings: readonly AnswerWarning[];
}

/**
 * The answer that a page shows; null: it shows none, which is absent.
 * @throws UnknownShape for a text or citations that the record does not take.
 */
export function capturedAnswer(capture: Capture | null, usage: Usage): Step {
  if (capture === null) {
    const none = { text: "", citations: [], searchQueries: [], model: null, warnings: [] };
    return answered({ ...none, outcome: "absent", usage });
  }
  const { text, cited, retrieved, searchQueries, model, warnings } = capture;
  return answered({
    outcome: "answered",
    text,
    citations: citationsOf(cited.filter(isPage), retrieved.filter(isPage)),
    searchQueries,
    model,
    usage,
    warnings,
  });
}

/** Pages also link into themselves and to searches, without a host; those are no sources. */
function isPage({ url }: RetrievedPage): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}
