import { foldedTag, summaryGroupings, type WorkspaceResponse } from "@sightline/contract";
import type { FiltersOfSelection } from "./selection.ts";
import { ToolFault } from "./tool-fault.ts";

/** What the answers of a reply can be grouped by. */
export const dimensions = summaryGroupings;

/** One of them. */
export type Dimension = (typeof dimensions)[number];

/** The most groups of one reply. */
const groupsMax = 20;

/** The filters of a page of groups, and how many groups there are. */
export interface GroupsPage {
  readonly filters: FiltersOfSelection;
  readonly total: number;
  /** No topic or prompt is left. */
  readonly isEmpty: boolean;
  /** Prompts that pass and are in no group of any page, since they have no topic. */
  readonly ungrouped: number;
  /** The `offset` of the next groups; null: there are none. */
  readonly nextOffset: number | null;
}

/**
 * The filters that leave a page of groups: an account may have 100,000 topics and prompts, so only
 * a page of them is asked for. Other groupings have few groups, and one page.
 */
export function groupsPage(
  by: Dimension,
  { topics, prompts }: Pick<WorkspaceResponse, "topics" | "prompts">,
  { filters, offset }: { readonly filters: FiltersOfSelection; readonly offset: number },
): GroupsPage {
  if (by === "topic") {
    if ((filters.promptIds?.length ?? 0) > 0) {
      throw new ToolFault("By topic, prompts cannot be a filter: a prompt has one topic.");
    }
    const given = idsIn(filters.topics?.map(({ id }) => id));
    // A filter of topics leaves out what has none: without need there is no filter.
    if (given === null && offset === 0 && topics.length <= groupsMax) {
      return { ...onePage, filters, total: topics.length };
    }
    const { ids, ...page } = pageOf(topics.filter(isAmong(given)), offset);
    const ungrouped = given === null ? withoutTopic(prompts, filters.branded) : 0;
    return { ...page, ungrouped, filters: { ...filters, topics: ids.map((id) => ({ id })) } };
  }
  if (by === "prompt") {
    const { topics: ofTopics, promptIds, ...others } = filters;
    const topicIds = idsIn(ofTopics?.map(({ id }) => id));
    const given = idsIn(promptIds);
    const tags = others.tags?.length ? new Set(others.tags.map(foldedTag)) : null;
    const left = prompts.filter(
      (prompt) =>
        isAmong(given)(prompt) &&
        (tags === null || (prompt.tags ?? []).some((tag) => tags.has(foldedTag(tag)))) &&
        (topicIds === null || topicIds.has(prompt.topicId ?? "")) &&
        (filters.branded === undefined || prompt.branded === filters.branded),
    );
    const { ids, ...page } = pageOf(left, offset);
    return { ...page, ungrouped: 0, filters: { ...others, promptIds: ids } };
  }
  return { ...onePage, filters, total: 0 };
}

const onePage = { isEmpty: false, ungrouped: 0, nextOffset: null } as const;

function withoutTopic(prompts: WorkspaceResponse["prompts"], branded: boolean | undefined): number {
  return prompts.filter((prompt) => {
    return prompt.topicId === null && (branded === undefined || prompt.branded === branded);
  }).length;
}

/** Null: all. */
function idsIn(ids: readonly string[] | undefined): ReadonlySet<string> | null {
  if (ids === undefined || ids.length === 0) return null;
  return new Set(ids.map((id) => id.toLowerCase()));
}

function isAmong(ids: ReadonlySet<string> | null) {
  return ({ id }: { readonly id: string }) => ids === null || ids.has(id);
}

function pageOf(items: readonly { readonly id: string }[], offset: number) {
  const ids = items.slice(offset, offset + groupsMax).map(({ id }) => id);
  const next = offset + ids.length;
  const hasMore = ids.length > 0 && next < items.length;
  return { ids, total: items.length, isEmpty: ids.length === 0, nextOffset: hasMore ? next : null };
}
