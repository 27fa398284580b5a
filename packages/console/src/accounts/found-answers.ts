import type { WorkspacePreviewResponse } from "@sightline/client";
import { countOf, countText } from "../data/format.ts";

type Previewed = WorkspacePreviewResponse["entities"][number]["mentions"];

/** What changed names and domains find, in words, by an entity's id. */
export function foundWords({
  entities,
}: WorkspacePreviewResponse): ReadonlyMap<string, readonly string[]> {
  return new Map(
    entities.map(({ id, mentions, citations }) => {
      const words = [...wordsOf("Mentions", mentions), ...wordsOf("Citations", citations)];
      return [id, words.length === 0 ? ["No recorded answer is found or lost"] : words];
    }),
  );
}

function wordsOf(what: "Mentions" | "Citations", { added, removed }: Previewed): readonly string[] {
  const part = (differing: Previewed["added"], sign: "+" | "−") =>
    differing.read === 0 ? [] : [`${what}: ${sign} ${amountText(differing)}`];
  return [...part(added, "+"), ...part(removed, "−")];
}

/** 29 answers, or about 290 answers (240 to 350). */
function amountText({ answers, read, interval }: Previewed["added"]): string {
  if (interval === null && answers === read) return countOf(answers, "answer");
  const bounds =
    interval === null ? "" : ` (${countText(interval.low)} to ${countText(interval.high)})`;
  return `about ${countOf(answers, "answer")}${bounds}`;
}

/** On what the figures rest; null: on nothing, since no name or domain differs. */
export function foundNote({ answers, read, isSample }: WorkspacePreviewResponse): string | null {
  if (read === 0) return answers === 0 ? "There are no recorded answers yet." : null;
  if (!isSample) return `Counted in all ${countOf(answers, "recorded answer")}.`;
  return (
    `Estimated from ${countText(read)} of ${countOf(answers, "recorded answer")}, drawn at ` +
    "random; in parentheses the 95 % interval."
  );
}
