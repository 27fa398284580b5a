import type { InsightsSummaryResponse, Sightline, WorkspaceResponse } from "@sightline/client";
import { sent, type ViewFilters } from "../data/filters.ts";
import type { ViewQuestion } from "../data/use-question.ts";
import type { GrowingList } from "./use-growing.ts";

/** What is known of a prompt. */
export type Prompt = WorkspaceResponse["prompts"][number];
/** A prompt's answers, and what they say of each entity. */
export type PromptGroup = InsightsSummaryResponse["groups"][number];

/** Prompts that a filter takes at most; more are asked for in parts. */
const callPrompts = 10_000;

/** The prompts that pass a view's filters, with and without answers. */
export function promptsOf({
  view,
  workspace,
}: Pick<ViewQuestion, "view" | "workspace">): readonly Prompt[] {
  const { prompts, topics, branded, excluded } = view;
  return workspace.prompts.filter((prompt) => {
    const topicId = prompt.topicId ?? "";
    if (prompts.length > 0 && !prompts.includes(prompt.id)) return false;
    if (topics.length > 0 && !topics.includes(topicId)) return false;
    if (excluded.prompts.includes(prompt.id) || excluded.topics.includes(topicId)) return false;
    return branded === null || prompt.branded === branded;
  });
}

/** A view's filters for some prompts: the service takes topics or prompts, not both. */
export function filtersOfPrompts(
  { topics: _, ...filters }: ViewFilters,
  promptIds: readonly string[],
): ViewFilters {
  return { ...filters, promptIds };
}

/** Those prompts whose values are among the parts that are there: of others nothing is known. */
export function promptsIn(
  prompts: readonly Prompt[],
  parts: readonly PromptPart[],
): readonly Prompt[] {
  return prompts.slice(0, parts.length * callPrompts);
}

/** Some prompts' values of one entity. */
export type PromptPart = Pick<InsightsSummaryResponse, "groups" | "empty">;

/** What copies the list of prompts. */
export function copiedPrompts(filters: ViewFilters, entityId: string) {
  return {
    path: "/v1/insights/summary",
    call: "insights.summary",
    body: { groupBy: "prompt", portrayal: false, filters, entityIds: [entityId] },
    command: ["summary", "--group-by", "prompt", "--entity", entityId],
  } as const;
}

/** How alike consecutive answers to some prompts are in what they cite, by the prompt's id. */
export async function stabilityOf(
  client: Sightline,
  { filters, workspace: { brand } }: ViewQuestion,
  promptIds: readonly string[],
): Promise<ReadonlyMap<string | null, NonNullable<PromptGroup["stability"]>>> {
  const found: PromptGroup[] = [];
  for (let from = 0; from < promptIds.length; from += callPrompts) {
    const { groups } = await client.insights.summary(
      sent({
        groupBy: "prompt",
        portrayal: false,
        include: ["stability"],
        entityIds: [brand.id],
        filters: filtersOfPrompts(filters, promptIds.slice(from, from + callPrompts)),
      }),
    );
    found.push(...groups);
  }
  return new Map(
    found.flatMap(({ key, stability }) => (stability ? [[key, stability] as const] : [])),
  );
}

/** An entity's values by prompt: in one call, unless there are more prompts than a filter takes. */
export function promptSummaries(
  question: ViewQuestion,
  entityId: string,
): GrowingList<PromptPart, number> {
  const { filters } = question;
  const ids = promptsOf(question).map(({ id }) => id);
  const isOne = ids.length <= callPrompts;
  return {
    key: ["prompt-summaries", entityId, filters, isOne ? 1 : ids],
    first: 0,
    fetch: async (client, from, signal) => {
      const some = ids.slice(from, from + callPrompts);
      const asked = isOne ? filters : filtersOfPrompts(filters, some);
      const { groups, empty } = await client.insights.summary(
        sent({ groupBy: "prompt", portrayal: false, filters: asked, entityIds: [entityId] }),
        { signal },
      );
      return { groups, empty };
    },
    next: (_, { length }) => (length * callPrompts < ids.length ? length * callPrompts : null),
  };
}
