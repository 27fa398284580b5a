import {
  type DaySums,
  type EntitySums,
  otherEntities,
  type PairSums,
  type PromptSums,
  promptsOfDay,
} from "../../facts/plan/insight-plans.ts";

/** What some answers of a group add to its values. */
export interface Counts {
  readonly answers: number;
  /** Mentions, added up over all tracked entities. */
  readonly mentions: number;
  /** At each entity's number; undefined: it is never visible. */
  readonly entities: readonly (Omit<EntitySums, "group" | "entity"> | undefined)[];
}

/** The same of the answers to one prompt. */
export interface PromptCounts extends Counts {
  /** When the newest was given: milliseconds since 1970. */
  readonly lastMs: number;
  /** Answers that mention any tracked entity. */
  readonly informative: number;
}

/** What one provider in one region adds, of prompts that both sides of a comparison have. */
export interface PairCounts {
  readonly pair: number;
  readonly answers: number;
  /** Mentions of all tracked entities, of prompts with any on both sides. */
  readonly voiced: number;
  /** At each entity's number; undefined: it is never visible. */
  readonly entities: readonly (PairSums | undefined)[];
}

/** The same of one UTC day. */
export interface DayCounts extends Counts {
  /** Prompts with answers of the day. */
  readonly prompts: number;
}

/** The counts of a group, by prompt. */
export type GroupCounts = ReadonlyMap<number, PromptCounts>;

interface Counting {
  answers: number;
  lastMs: number;
  informative: number;
  mentions: number;
  prompts: number;
  readonly entities: (Omit<EntitySums, "group" | "entity"> | undefined)[];
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
    add(counts, each);
  }
  return groups;
}

/** The counts of each pair of each group, from sums in any order. It can be paused. */
export function* pairCounts(
  sums: readonly PairSums[],
): Generator<void, ReadonlyMap<number, readonly PairCounts[]>, void> {
  interface Pair extends PairCounts {
    answers: number;
    voiced: number;
    readonly entities: (PairSums | undefined)[];
  }
  const groups = new Map<number, Map<number, Pair>>();
  for (const [place, each] of sums.entries()) {
    if (place % sumsAtOnce === 0) yield;
    const pairs = groups.get(each.group) ?? new Map<number, Pair>();
    groups.set(each.group, pairs);
    const counts = pairs.get(each.pair) ?? { pair: each.pair, answers: 0, voiced: 0, entities: [] };
    pairs.set(each.pair, counts);
    if (each.entity === 0) counts.answers += each.mentioned;
    else counts.voiced += each.voiced;
    if (each.entity > 0) counts.entities[each.entity] = each;
  }
  return new Map([...groups].map(([group, pairs]) => [group, [...pairs.values()]]));
}

/** The counts of each day of each group, from sums in any order. */
export function dayCounts(sums: readonly DaySums[]): ReadonlyMap<number, readonly DayCounts[]> {
  const groups = new Map<number, Map<number, Counting>>();
  for (const each of sums) {
    const days = groups.get(each.group) ?? new Map<number, Counting>();
    groups.set(each.group, days);
    const counts = days.get(each.day) ?? newCounting();
    days.set(each.day, counts);
    add(counts, each);
  }
  return new Map([...groups].map(([group, days]) => [group, [...days.values()]]));
}

type AnySums = EntitySums & Partial<Pick<PromptSums, "first" | "lastMs">>;

function add(counts: Counting, sums: AnySums): void {
  const { entity, mentioned, cited, visible, rank, first = 0, lastMs = 0 } = sums;
  if (entity === promptsOfDay) {
    counts.prompts += mentioned;
    return;
  }
  if (entity === 0) {
    counts.answers += mentioned;
    counts.lastMs = Math.max(counts.lastMs, lastMs);
    return;
  }
  counts.informative += first;
  counts.mentions += mentioned;
  if (entity === otherEntities) return;
  const own = counts.entities[entity];
  counts.entities[entity] =
    own === undefined
      ? sums
      : {
          mentioned: own.mentioned + mentioned,
          cited: own.cited + cited,
          visible: own.visible + visible,
          rank: own.rank + rank,
        };
}

function newCounting(): Counting {
  const lastMs = Number.NEGATIVE_INFINITY;
  return { answers: 0, lastMs, informative: 0, mentions: 0, prompts: 0, entities: [] };
}
