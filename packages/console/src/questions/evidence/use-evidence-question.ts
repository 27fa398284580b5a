import type { Provider, Surface } from "@sightline/client";
import { filtersOf, noPrompt, type ViewFilters } from "../../data/filters.ts";
import { type Range, rangeOfDates } from "../../data/period.ts";
import { useViewQuestion, type ViewQuestion } from "../../data/use-question.ts";
import type { EvidenceAddress, EvidencePart, View } from "../../data/view.ts";

/** What the drawer asks. */
export interface EvidenceFilters extends ViewQuestion {
  readonly address: EvidenceAddress;
  /** The days of the evidence: those of a point, or the whole period. */
  readonly days: Range;
  /** Without the prompt that the drawer has chosen. */
  readonly ofAllPrompts: ViewFilters;
  readonly ofAnswers: ViewFilters;
}

/** The filters of the open drawer; null: the workspace is not known yet. */
export function useEvidenceFilters(address: EvidenceAddress): EvidenceFilters | null {
  const question = useViewQuestion();
  if (question === null) return null;
  const { view, range, workspace } = question;
  const days = address.dates === null ? range : rangeOfDates(address.dates);
  const { promptId, part } = address;
  const narrowed = part === null ? view : viewOfPart(part, view, workspace);
  const ofAllPrompts = filtersOf(narrowed, days, workspace);
  return {
    ...question,
    address,
    days,
    ofAllPrompts,
    ofAnswers:
      promptId === null
        ? ofAllPrompts
        : filtersOf({ ...narrowed, topics: [], prompts: [promptId] }, days, workspace),
  };
}

/** A view narrowed to a part of its answers; a domain is none of its filters. */
function viewOfPart(
  { by, key }: EvidencePart,
  view: View,
  workspace: ViewQuestion["workspace"],
): View {
  switch (by) {
    case "topic":
      return { ...view, topics: [key] };
    case "provider":
      return { ...view, providers: [key as Provider] };
    case "region":
      return { ...view, regions: [key] };
    case "tag":
      return viewOfTag(key, view, workspace);
    case "model":
      return { ...view, models: [key] };
    case "surface":
      return { ...view, surfaces: [key as Surface] };
    case "domain":
    case "url":
      return view;
  }
}

/** Tags overlap: with a filter by others, a part is of those prompts that have one of these too. */
function viewOfTag(tag: string, view: View, { prompts }: ViewQuestion["workspace"]): View {
  if (view.tags.length === 0) return { ...view, tags: [tag] };
  const both = prompts.filter(
    ({ id, tags = [] }) =>
      tags.includes(tag) &&
      tags.some((each) => view.tags.includes(each)) &&
      (view.prompts.length === 0 || view.prompts.includes(id)),
  );
  const ids = both.map(({ id }) => id);
  return { ...view, tags: [tag], prompts: ids.length === 0 ? [noPrompt] : ids };
}
