import type { InsightsSummaryResponse } from "@sightline/client";

type Empty = NonNullable<InsightsSummaryResponse["empty"]>;

const reasons: Readonly<Record<Empty["reason"], string>> = {
  noAnswers: "The account has no answers yet.",
  outsideRange: "No answer lies in this range.",
  notTrackedThen: "Answers pass these filters, but not in this range.",
  filteredOut: "No answer passes these filters.",
  uninformative: "No answer names the brand or a competitor.",
  uncited: "No answer cites a page.",
};

/** A hint for an empty reply: what kind of nothing it is; empty when there is something. */
export function emptyHint(empty: Empty | null): string {
  if (empty === null) return "";
  const { reason, first, last } = empty;
  // A later service may have more reasons.
  const text = (reasons as Readonly<Record<string, string>>)[reason] ?? "There is nothing to show.";
  if (first === null || last === null) return `sightline: ${text}\n`;
  const dates = `${first.slice(0, 10)} to ${last.slice(0, 10)}`;
  return `sightline: ${text} The account has answers from ${dates}.\n`;
}
