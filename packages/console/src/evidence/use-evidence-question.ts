import type { AnalyticsFilters } from "@sightline/client";
import { countOf } from "../data/format.ts";
import { providerName, regionName } from "../data/names.ts";
import { filtersOf, type Range, rangeOfDates } from "../data/period.ts";
import { useViewQuestion, type ViewQuestion } from "../data/use-question.ts";
import type { EvidenceAddress } from "../data/view.ts";

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
    ...{ ...question, address, days, ofAllPrompts },
    ofAnswers:
      promptId === null
        ? ofAllPrompts
        : filtersOf({ ...view, topics: [], prompts: [promptId] }, days),
  };
}

/** What narrows the evidence, in words, for a reader who came by a link. */
export function filterWords({ view, workspace, address }: EvidenceFilters): readonly string[] {
  const namesOf = (
    ids: readonly string[],
    all: readonly { readonly id: string; readonly name: string }[],
  ) => ids.map((id) => all.find((each) => each.id === id)?.name ?? id).join(", ");
  const { providers, regions, branded } = view;
  // A prompt that was chosen takes the place of both.
  const { topics, prompts } = address.promptId === null ? view : { topics: [], prompts: [] };
  return [
    ...(providers.length > 0 ? [providers.map(providerName).join(", ")] : []),
    ...(topics.length > 0 ? [namesOf(topics, workspace.topics)] : []),
    ...(prompts.length > 0 ? [countOf(prompts.length, "chosen prompt")] : []),
    ...(regions.length > 0 ? [regions.map(regionName).join(", ")] : []),
    ...(branded === null ? [] : [branded ? "branded prompts" : "prompts that are not branded"]),
  ];
}
