import type { AnalyticsExclude, InsightFilters, WorkspaceResponse } from "@sightline/client";
import type { Range } from "./period.ts";
import type { View } from "./view.ts";

/**
 * The filters of a view, with what they leave out: the service takes the two apart, but whatever
 * is asked, copied or said of the one is asked, copied and said of the other.
 */
export interface ViewFilters extends InsightFilters {
  readonly exclude?: AnalyticsExclude | undefined;
}

/** In the place of prompts where none passes: an empty list would let all pass. */
export const noPrompt = "00000000-0000-0000-0000-000000000000";

/** The filters of a view over a range. */
export function filtersOf(
  view: View,
  { fromMs, toMs }: Range,
  workspace: Pick<WorkspaceResponse, "prompts">,
): ViewFilters {
  const { regions, models, surfaces, tags, branded, excluded, ...lists } = view;
  const exclude = listFilters(excluded);
  return {
    timeRange: { from: instantText(fromMs), to: instantText(toMs) },
    ...listFilters({
      ...promptLists(lists, workspace),
      providers: lists.providers,
      regions,
      models,
      surfaces,
      tags,
    }),
    ...(branded === null ? {} : { branded }),
    ...(Object.keys(exclude).length === 0 ? {} : { exclude }),
  };
}

/** The tags that prompts have, in alphabetical order. */
export function tagsOf({ prompts }: Pick<WorkspaceResponse, "prompts">): readonly string[] {
  const tags = new Set(prompts.flatMap((prompt) => prompt.tags ?? []));
  return [...tags].toSorted((a, b) => a.localeCompare(b));
}

/** The service takes topics or prompts: of both, the prompts that have one of the topics. */
function promptLists(
  { topics, prompts }: Pick<View, "topics" | "prompts">,
  workspace: Pick<WorkspaceResponse, "prompts">,
): Pick<View, "topics" | "prompts"> {
  if (topics.length === 0 || prompts.length === 0) return { topics, prompts };
  const both = promptsOfTopics({ topics, prompts }, workspace);
  return { topics: [], prompts: both.length === 0 ? [noPrompt] : both };
}

/** The ids of those chosen prompts that have one of the chosen topics. */
export function promptsOfTopics(
  { topics, prompts }: Pick<View, "topics" | "prompts">,
  workspace: Pick<WorkspaceResponse, "prompts">,
): readonly string[] {
  const topicIds = new Map(workspace.prompts.map(({ id, topicId }) => [id, topicId]));
  return prompts.filter((id) => topics.includes(topicIds.get(id) ?? ""));
}

function listFilters(lists: View["excluded"]): AnalyticsExclude {
  const { providers, topics, prompts, regions, models, surfaces, tags } = lists;
  return {
    ...(providers.length > 0 ? { providers } : {}),
    ...(topics.length > 0 ? { topics: topics.map((id) => ({ id })) } : {}),
    ...(prompts.length > 0 ? { promptIds: prompts } : {}),
    ...(regions.length > 0 ? { regions: regions.map((code) => ({ code })) } : {}),
    ...(models.length > 0 ? { models } : {}),
    ...(surfaces.length > 0 ? { surfaces } : {}),
    ...(tags.length > 0 ? { tags } : {}),
  };
}

interface OfFilters {
  readonly filters: ViewFilters;
}

/** A question as the service takes it: what its filters leave out stands next to them. */
export function sent<Q extends OfFilters & { readonly compare?: OfFilters | undefined }>(
  question: Q,
): Q {
  const { filters, compare } = question;
  return {
    ...question,
    ...apart(filters),
    ...(compare === undefined ? {} : { compare: { ...compare, ...apart(compare.filters) } }),
  };
}

function apart({ exclude, ...filters }: ViewFilters) {
  return exclude === undefined ? { filters } : { filters, exclude };
}

const instantText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
