import type { AnalyticsFilters } from "@sightline/client";
import { filtersOf, type Range, rangeOfDates } from "../../data/period.ts";
import { useViewQuestion, type ViewQuestion } from "../../data/use-question.ts";
import type { EvidenceAddress } from "../../data/view.ts";

/** What the drawer asks. */
export interface EvidenceFilters extends ViewQuestion {
  readonly address: EvidenceAddress;
  /** The days of the evidence: those of a point, or the whole period. */
  readonly days: Range;
  /** Without the prompt that the drawer has chosen. */
  readonly ofAllPrompts: AnalyticsFilters;
  readonly ofAnswers: AnalyticsFilters;
}

/** The filters of the open drawer; null: the workspace is not known yet. */
export function useEvidenceFilters(address: EvidenceAddress): EvidenceFilters | null {
  const question = useViewQuestion();
  if (question === null) return null;
  const { view, range } = question;
  const days = address.dates === null ? range : rangeOfDates(address.dates);
  const ofAllPrompts = filtersOf(view, days);
  const { promptId } = address;
  return {
    ...question,
    address,
    days,
    ofAllPrompts,
    ofAnswers:
      promptId === null
        ? ofAllPrompts
        : filtersOf({ ...view, topics: [], prompts: [promptId] }, days),
  };
}
