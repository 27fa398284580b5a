import type {
  AnalyticsFilters,
  InsightsSummaryResponse,
  WorkspaceResponse,
} from "@sightline/client";
import type { GrowingList } from "./use-growing.ts";
import type { ViewQuestion } from "./use-question.ts";

/** What is known of a prompt. */
export type Prompt = WorkspaceResponse["prompts"][number];
/** A prompt's answers, and what they say of each entity. */
export type PromptGroup = InsightsSummaryResponse["groups"][number];

/** Groups times entities that the service gives in one summary at most. */
const entriesMax = 12_000;

/** The prompts that pass a view's filters, with and without answers. */
export function promptsOf({ view, workspace }: ViewQuestion): readonly Prompt[] {
  const { prompts, topics, branded } = view;
  return workspace.prompts.filter((prompt) => {
    if (prompts.length > 0 && !prompts.includes(prompt.id)) return false;
    if (topics.length > 0 && !topics.includes(prompt.topicId ?? "")) return false;
    return branded === null || prompt.branded === branded;
  });
}

/** A view's filters for some prompts: the service takes topics or prompts, not both. */
export function filtersOfPrompts(
  { topics: _, ...filters }: AnalyticsFilters,
  promptIds: readonly string[],
): AnalyticsFilters {
  return { ...filters, promptIds };
}

/** Some prompts' values of one entity. */
export type PromptPart = Pick<InsightsSummaryResponse, "groups" | "empty">;

/**
 * An entity's values by prompt, in as many calls as the account's entities make necessary. Those
 * of the others are not kept: a thousand prompts of a hundred entities are half a million values.
 */
export function promptSummaries(
  question: ViewQuestion,
  entityId: string,
): GrowingList<PromptPart, number> {
  const { filters, workspace } = question;
  const ids = promptsOf(question).map(({ id }) => id);
  const perCall = Math.max(1, Math.floor(entriesMax / (workspace.competitors.length + 1)));
  const isOne = ids.length <= perCall;
  return {
    key: ["prompt-summaries", entityId, filters, isOne ? 1 : ids],
    first: 0,
    fetch: async (client, from, signal) => {
      const asked = isOne ? filters : filtersOfPrompts(filters, ids.slice(from, from + perCall));
      const reply = await client.insights.summary(
        { groupBy: "prompt", filters: asked },
        { signal },
      );
      const groups = reply.groups.map(({ entities, ...group }) => ({
        ...group,
        entities: entities.filter(({ id }) => id === entityId),
      }));
      return { groups, empty: reply.empty };
    },
    next: (_, parts) => (parts.length * perCall < ids.length ? parts.length * perCall : null),
  };
}
