import type { GroupCounts, PromptCounts } from "../facts/plan/prompt-sums.ts";
import type { Changes } from "./changes.ts";
import { type Estimate, estimateOf } from "./estimates/clusters.ts";
import {
  clustersOf,
  type SummaryMetric,
  summaryDefinitions,
  summaryMetrics,
  summaryMoments,
} from "./summary-metrics.ts";

/** A value whose change is judged once all are known. */
export interface Pending {
  readonly estimate: Estimate;
  /** The place of its change. */
  readonly change: number | null;
}

/** The values of an entity. */
export type PendingValues = Readonly<Record<SummaryMetric, Pending>>;

/** What is compared with what: the prompts of both sides in one order. */
export interface GroupSides {
  readonly after: readonly PromptCounts[];
  /** Null: nothing is compared. */
  readonly paired: {
    readonly before: readonly (PromptCounts | undefined)[];
    readonly after: readonly (PromptCounts | undefined)[];
    readonly beforeAlone: readonly PromptCounts[];
    readonly commonPrompts: number;
    readonly isContinuous: boolean;
  } | null;
}

/** Pairs the prompts of a group; `before` is null when nothing is compared. */
export function sidesOf(
  after: GroupCounts,
  before: GroupCounts | null,
  isContinuous: boolean,
): GroupSides {
  const own = [...after.values()];
  if (before === null) return { after: own, paired: null };
  const prompts = [...new Set([...after.keys(), ...before.keys()])];
  const paired = {
    before: prompts.map((prompt) => before.get(prompt)),
    after: prompts.map((prompt) => after.get(prompt)),
    beforeAlone: [...before.values()],
    commonPrompts: after.size + before.size - prompts.length,
    isContinuous,
  };
  return { after: own, paired };
}

/** The values of an entity in a group; it can be paused after each. */
export function* valuesOf(
  entity: number,
  sides: GroupSides,
  changes: Changes,
): Generator<void, PendingValues, void> {
  const values: (readonly [SummaryMetric, Pending])[] = [];
  for (const metric of summaryMetrics) {
    values.push([metric, pendingOf(metric, entity, { sides, changes })]);
    yield;
  }
  return Object.fromEntries(values) as PendingValues;
}

function pendingOf(
  metric: SummaryMetric,
  entity: number,
  { sides, changes }: { readonly sides: GroupSides; readonly changes: Changes },
): Pending {
  const { after, paired } = sides;
  const { scale } = summaryDefinitions[metric];
  const own = estimateOf(summaryMoments(metric, entity, after), scale);
  if (paired === null) return { estimate: own, change: null };
  const { before, beforeAlone, commonPrompts, isContinuous } = paired;
  const change = changes.add({
    before: clustersOf(metric, entity, before),
    after: clustersOf(metric, entity, paired.after),
    estimateBefore: estimateOf(summaryMoments(metric, entity, beforeAlone), scale),
    estimateAfter: own,
    commonPrompts,
    isContinuous,
    scale,
  });
  return { estimate: own, change };
}
