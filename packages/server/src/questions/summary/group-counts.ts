import {
  type DaySums,
  type EntitySums,
  otherEntities,
  type PairSums,
  type PortrayalSums,
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

/** What pairs of provider and region add, of prompts that both sides of a comparison have. */
export interface GroupPairs {
  /** In ascending order. */
  readonly pairs: readonly number[];
  /** Of each pair. */
  readonly answers: Float64Array;
  /** Of each pair mentions of all tracked entities, of prompts with any on both sides. */
  readonly voiced: Float64Array;
  /** At each entity's number, at each pair's place: the row of the sums; -1: it has none. */
  readonly rows: readonly (Int32Array | undefined)[];
  /** Null: there are none. */
  readonly sums: PairSums | null;
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

/** The pairs of each group, from sums in any order. It can be paused after some sums. */
export function* groupPairs(
  sums: PairSums | null,
): Generator<void, (group: number) => GroupPairs, void> {
  const rows = new Map<number, number[]>();
  for (const [row, group] of sums?.group.entries() ?? []) {
    if (row % sumsAtOnce === 0) yield;
    const own = rows.get(group);
    if (own === undefined) rows.set(group, [row]);
    else own.push(row);
  }
  return (group) => (sums === null ? noPairs : pairsIn(sums, rows.get(group) ?? []));
}

const none = new Float64Array();
const noPairs: GroupPairs = { pairs: [], answers: none, voiced: none, rows: [], sums: null };

function pairsIn(sums: PairSums, own: readonly number[]): GroupPairs {
  const at = (column: Float64Array, row: number) => column[row] ?? 0;
  const pairs = [...new Set(own.map((row) => at(sums.pair, row)))].sort((a, b) => a - b);
  const places = new Map(pairs.map((pair, place) => [pair, place]));
  const answers = new Float64Array(pairs.length);
  const voiced = new Float64Array(pairs.length);
  const rows: Int32Array[] = [];
  for (const row of own) {
    const place = places.get(at(sums.pair, row)) ?? 0;
    const entity = at(sums.entity, row);
    const [counts, column] = entity === 0 ? [answers, sums.mentioned] : [voiced, sums.voiced];
    counts[place] = (counts[place] ?? 0) + at(column, row);
    if (entity <= 0) continue;
    rows[entity] ??= new Int32Array(pairs.length).fill(-1);
    rows[entity][place] = row;
  }
  return { pairs, answers, voiced, rows, sums };
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
          ...portrayalSum(own, sums),
        };
}

/** What two rows say of how answers speak of an entity, added up; nothing without it. */
function portrayalSum(first: PortrayalSums, second: PortrayalSums): PortrayalSums {
  if (first.read === undefined) return {};
  const sum = (measure: keyof PortrayalSums) => (first[measure] ?? 0) + (second[measure] ?? 0);
  return {
    read: sum("read"),
    recommended: sum("recommended"),
    praised: sum("praised"),
    criticized: sum("criticized"),
    discouraged: sum("discouraged"),
    notFound: sum("notFound"),
  };
}

function newCounting(): Counting {
  const lastMs = Number.NEGATIVE_INFINITY;
  return { answers: 0, lastMs, informative: 0, mentions: 0, prompts: 0, entities: [] };
}
