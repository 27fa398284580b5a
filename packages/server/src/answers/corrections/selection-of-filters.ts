import { type Filters, instantOf } from "@sightline/contract";
import { workspaceOf } from "../../accounts/account-store.ts";
import type { ControlEngine } from "../../control/control-engine.ts";
import { type AnswerSelection, everyAnswer } from "../answer-selection.ts";

/**
 * The recorded answers that pass the filters of a question. A topic has the prompts that are
 * declared for it now, as it has in questions.
 */
export async function selectionOfFilters(
  control: ControlEngine,
  accountId: string,
  { timeRange, providers, topics, promptIds, regions, branded }: Filters,
): Promise<AnswerSelection> {
  const topicIds = new Set(topics?.map(({ id }) => id.toLowerCase()));
  const named = new Set(promptIds?.map((id) => id.toLowerCase()));
  const isDeclared = topicIds.size > 0 || branded !== undefined;
  const workspace = isDeclared ? await workspaceOf(control, accountId) : null;
  const declared = workspace?.prompts
    .filter(({ topicId }) => topicIds.size === 0 || topicIds.has(topicId ?? ""))
    .filter((prompt) => branded === undefined || prompt.branded === branded)
    .map(({ id }) => id);
  const prompts = declared?.filter((id) => named.size === 0 || named.has(id)) ?? [...named];
  return {
    ...everyAnswer,
    fromMs: instantOf(timeRange.from),
    toMs: instantOf(timeRange.to),
    providers: given(providers),
    regions: given(regions?.map(({ code }) => code.toUpperCase())),
    promptIds: isDeclared || named.size > 0 ? prompts : null,
  };
}

/** An empty list is the same as none. */
function given<Item>(items: readonly Item[] | undefined): readonly Item[] | null {
  return items === undefined || items.length === 0 ? null : items;
}
