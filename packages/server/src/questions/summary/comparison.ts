import {
  type DaySums,
  entityKey,
  type OneSided,
  type PairSums,
  type PromptSums,
  type PromptSumsOf,
  promptKey,
  splitsPrompts,
} from "../../facts/plan/insight-plans.ts";
import type { Selection } from "../../facts/plan/question.ts";
import { type Reading, readDays, readPairs, readSide, type SummarySide } from "../reading.ts";
import {
  type DayCounts,
  dayCounts,
  type GroupCounts,
  type GroupPairs,
  groupCounts,
  groupPairs,
} from "./group-counts.ts";

/** Something of both sides of a comparison. */
export interface Sides<Side> {
  readonly before: Side;
  readonly after: Side;
}

/** What the facts say of a comparison. */
export interface ComparedFacts {
  readonly sides: Sides<SummarySide>;
  readonly pairs: Sides<PairSums | null>;
  /** Null: nothing can be tested. */
  readonly days: Sides<readonly DaySums[]> | null;
}

/** What is compared, and how it is grouped. */
export interface Compared {
  readonly selections: Sides<Selection>;
  readonly of: Pick<PromptSumsOf, "groupBy" | "listed" | "withPortrayal">;
  /** Sides that were read already. */
  readonly known?: Partial<Sides<SummarySide>>;
}

/** Reads both sides of a comparison. @throws ServiceError invalid_request when it is too large. */
export async function readComparison(
  reading: Reading,
  { selections, of: { groupBy, listed, withPortrayal }, known }: Compared,
): Promise<ComparedFacts> {
  const of = { groupBy, listed, byWeek: false, withPortrayal };
  const before = known?.before ?? (await readSide(reading, selections.before, of));
  const after = known?.after ?? (await readSide(reading, selections.after, of));
  // A group of one prompt that is on one side has no common prompts, and its pairs say nothing.
  const oneSided =
    groupBy === "prompt" ? everyPrompt : oneSidedOf(before.sums, after.sums, groupBy);
  const both = { ...of, oneSided };
  const pairs = {
    before: await readPairs(reading, selections.before, both),
    after: await readPairs(reading, selections.after, both),
  };
  // A group of one prompt is never tested.
  const days =
    groupBy === "prompt"
      ? null
      : {
          before: await readDays(reading, selections.before, of),
          after: await readDays(reading, selections.after, of),
        };
  return { sides: { before, after }, pairs, days };
}

const everyPrompt: OneSided = { asked: [], voiced: [], named: [], read: [] };

/** Which prompts count on one side only. */
function oneSidedOf(
  before: readonly PromptSums[],
  after: readonly PromptSums[],
  groupBy: PromptSumsOf["groupBy"],
): OneSided {
  const [first, second] = [before, after].map((sums) => presentIn(sums, splitsPrompts(groupBy)));
  const oneSided = (kind: keyof OneSided) => {
    const [own, other] = [first?.[kind] ?? none, second?.[kind] ?? none];
    const notIn = (side: ReadonlySet<bigint>) => (key: bigint) => !side.has(key);
    return [...[...own].filter(notIn(other)), ...[...other].filter(notIn(own))];
  };
  return {
    asked: oneSided("asked"),
    voiced: oneSided("voiced"),
    named: oneSided("named"),
    read: oneSided("read"),
  };
}

const none: ReadonlySet<bigint> = new Set();

function presentIn(sums: readonly PromptSums[], isSplit: boolean) {
  const present = {
    asked: new Set<bigint>(),
    voiced: new Set<bigint>(),
    named: new Set<bigint>(),
    read: new Set<bigint>(),
  };
  for (const { prompt, group, entity, mentioned, read = 0 } of sums) {
    if (mentioned === 0) continue;
    const key = promptKey(prompt, isSplit ? group : 0);
    if (entity === 0) present.asked.add(key);
    else present.voiced.add(key);
    if (entity > 0) present.named.add(entityKey(key, entity));
    if (entity > 0 && read > 0) present.read.add(entityKey(key, entity));
  }
  return present;
}

/** What one side of a group's comparison counts. */
export interface CountedSide {
  readonly prompts: GroupCounts;
  readonly pairs: GroupPairs;
  readonly days: readonly DayCounts[];
}

/** Both sides of each group's comparison. */
export type CountedComparison = (group: number) => Sides<CountedSide>;

/** What a comparison counts, by group. It can be paused after some sums. */
export function* countedComparison({
  sides,
  pairs,
  days,
}: ComparedFacts): Generator<void, CountedComparison, void> {
  const before = yield* countedSide(sides.before, pairs.before, days?.before ?? []);
  const after = yield* countedSide(sides.after, pairs.after, days?.after ?? []);
  return (group) => ({ before: before(group), after: after(group) });
}

function* countedSide(
  { sums }: SummarySide,
  pairSums: PairSums | null,
  daySums: readonly DaySums[],
): Generator<void, (group: number) => CountedSide, void> {
  const prompts = yield* groupCounts(sums);
  const pairs = yield* groupPairs(pairSums);
  const days = dayCounts(daySums);
  return (group) => ({
    prompts: prompts.get(group) ?? new Map(),
    pairs: pairs(group),
    days: days.get(group) ?? [],
  });
}
