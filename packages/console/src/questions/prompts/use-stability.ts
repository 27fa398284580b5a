import { useSummary } from "../../data/queries.ts";
import type { ViewQuestion } from "../../data/use-question.ts";
import { filtersOfPrompts, type PromptGroup } from "../prompt-summaries.ts";
import type { PromptRow } from "./prompt-rows.ts";

/** How alike consecutive answers to a prompt are in what they cite, by the prompt's id. */
export type StabilityByPrompt = ReadonlyMap<string | null, NonNullable<PromptGroup["stability"]>>;

/**
 * The stability of the rows of a page: it reads every citation of their answers, so it is asked
 * for them alone. Empty until it is there.
 */
export function useStability(
  { filters, workspace: { brand } }: ViewQuestion,
  rows: readonly PromptRow[],
): StabilityByPrompt {
  const ids = rows.filter(({ answers }) => answers > 0).map(({ prompt }) => prompt.id);
  const { data, isPlaceholderData } = useSummary(
    ids.length === 0
      ? null
      : {
          groupBy: "prompt",
          include: ["stability"],
          entityIds: [brand.id],
          // In one order, so that sorting a page again asks for nothing.
          filters: filtersOfPrompts(filters, ids.toSorted()),
        },
  );
  // Next to the numbers of a period those of another one would be taken for its own.
  if (isPlaceholderData) return new Map();
  return new Map(
    data?.groups.flatMap(({ key, stability }) => (stability ? [[key, stability] as const] : [])),
  );
}
