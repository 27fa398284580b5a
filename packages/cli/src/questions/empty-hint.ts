import type { InsightsSummaryResponse, Sightline } from "@sightline/client";
import { dayMs } from "@sightline/contract";

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

/** What no answer does where a reply is empty; what passes the filters need not do it. */
const nothings = {
  passes: "No answer passes these filters.",
  mentions: "No answer that passes these filters mentions any of these.",
  cites: "No answer that passes these filters cites a page.",
} as const;

/**
 * A hint for an empty reply: which range has answers. The reply is printed without the hint too,
 * so a failed lookup is not an error.
 */
export async function noAnswersHint(
  client: Sightline,
  nothing: keyof typeof nothings = "passes",
): Promise<string> {
  const text = `sightline: ${nothings[nothing]}`;
  const workspace = await client.workspace().catch(() => null);
  if (workspace === null) return `${text}\n`;
  const { first, last } = workspace.answers;
  if (first === null || last === null) return "sightline: The account has no answers yet.\n";
  const dayAfter = new Date(Date.parse(last) + dayMs).toISOString();
  const [from, to] = [first.slice(0, 10), dayAfter.slice(0, 10)];
  return `${text} The account has answers in --from ${from} --to ${to}.\n`;
}
