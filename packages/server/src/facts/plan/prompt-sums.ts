/** The entity of sums over all entities without sums of their own. */
export const otherEntities = -1;

/**
 * Sums over the answers of a group to one prompt. Entity 0 is the answers themselves: `mentioned`
 * is how many there are. `first`: how many have it at rank 1; an answer that mentions any entity
 * has exactly one at that rank.
 */
export interface PromptSums {
  /** The code of what is grouped by; 0 without a grouping, and where an answer has none. */
  readonly group: number;
  readonly prompt: number;
  readonly entity: number;
  readonly mentioned: number;
  readonly cited: number;
  readonly visible: number;
  readonly rank: number;
  readonly first: number;
  /** When the newest of the answers was given: milliseconds since 1970. */
  readonly lastMs: number;
}

/** What the answers of a group to one prompt add to its values. */
export interface PromptCounts {
  readonly answers: number;
  /** When the newest was given: milliseconds since 1970. */
  readonly lastMs: number;
  /** Answers that mention any tracked entity. */
  readonly informative: number;
  /** Mentions, added up over all tracked entities. */
  readonly mentions: number;
  /** At each entity's number; undefined: it is never visible. */
  readonly entities: readonly (PromptSums | undefined)[];
}

/** The counts of a group, by prompt. */
export type GroupCounts = ReadonlyMap<number, PromptCounts>;

interface Counting {
  answers: number;
  lastMs: number;
  informative: number;
  mentions: number;
  readonly entities: (PromptSums | undefined)[];
}

/** The groups that sums are of. */
export function groupsOf(...lists: readonly (readonly PromptSums[])[]): ReadonlySet<number> {
  const groups = new Set<number>();
  for (const sums of lists) for (const { group } of sums) groups.add(group);
  return groups;
}

const sumsAtOnce = 1_000;

/** The counts of each group, from sums in any order. It can be paused after some sums. */
export function* groupCounts(
  sums: readonly PromptSums[],
): Generator<void, ReadonlyMap<number, GroupCounts>, void> {
  const groups = new Map<number, Map<number, Counting>>();
  for (const [place, each] of sums.entries()) {
    if (place % sumsAtOnce === 0) yield;
    const prompts = groups.get(each.group) ?? new Map<number, Counting>();
    groups.set(each.group, prompts);
    const counts = prompts.get(each.prompt) ?? newCounting();
    prompts.set(each.prompt, counts);
    if (each.entity === 0) {
      counts.answers = each.mentioned;
      counts.lastMs = each.lastMs;
      continue;
    }
    counts.informative += each.first;
    counts.mentions += each.mentioned;
    if (each.entity !== otherEntities) counts.entities[each.entity] = each;
  }
  return groups;
}

function newCounting(): Counting {
  return { answers: 0, lastMs: 0, informative: 0, mentions: 0, entities: [] };
}
