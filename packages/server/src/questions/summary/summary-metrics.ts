import { type SummaryMetricName, summaryMetricNames } from "@sightline/contract";
import type { GroupCounts, PromptCounts, PromptSums } from "../../facts/plan/insight-plans.ts";
import type { Changes } from "../changes/changes.ts";
import { type Estimate, estimateOf, type Scale } from "../changes/clusters.ts";
import { type Cluster, type Moments, momentsOf } from "../changes/moments.ts";

/** The values of an entity in a summary. */
export const summaryMetrics = summaryMetricNames;

/** One of the values of an entity in a summary. */
type SummaryMetric = SummaryMetricName;

/** A value of a summary is data: how its interval is made, and what a prompt adds to it. */
interface SummaryMetricDefinition {
  readonly scale: Scale;
  readonly numerator: (own: PromptSums) => number;
  readonly denominator: (counts: PromptCounts, own: PromptSums | undefined) => number;
}

const answers = (counts: PromptCounts) => counts.answers;

/** The values of an entity in a summary. Each is defined here and nowhere else. */
const summaryDefinitions: Readonly<Record<SummaryMetric, SummaryMetricDefinition>> = {
  mentions: { scale: "rate", numerator: (own) => own.mentioned, denominator: answers },
  visibility: { scale: "rate", numerator: (own) => own.visible, denominator: answers },
  citations: { scale: "rate", numerator: (own) => own.cited, denominator: answers },
  rank: {
    scale: "rank",
    numerator: (own) => own.rank,
    denominator: (_counts, own) => own?.mentioned ?? 0,
  },
  shareOfVoice: {
    scale: "share",
    numerator: (own) => own.mentioned,
    denominator: (counts) => counts.mentions,
  },
};

/** What prompts add to an entity's value, in their order; zeros for one that was not asked. */
function clustersOf(
  metric: SummaryMetric,
  entity: number,
  prompts: readonly (PromptCounts | undefined)[],
): readonly Cluster[] {
  return prompts.map((counts) =>
    counts === undefined ? nothing : clusterOf(metric, entity, counts),
  );
}

/** The moments of what prompts add to an entity's value. */
function summaryMoments(
  metric: SummaryMetric,
  entity: number,
  prompts: readonly PromptCounts[],
): Moments {
  return momentsOf(prompts, (counts) => clusterOf(metric, entity, counts));
}

/** The moments of what prompts add to the share of informative answers. */
export function informativeMoments(prompts: readonly PromptCounts[]): Moments {
  return momentsOf(prompts, ({ informative: numerator, answers: denominator }) => {
    return { numerator, denominator };
  });
}

const nothing: Cluster = { numerator: 0, denominator: 0 };

function clusterOf(metric: SummaryMetric, entity: number, counts: PromptCounts): Cluster {
  const { numerator, denominator } = summaryDefinitions[metric];
  const own = counts.entities[entity];
  return {
    numerator: own === undefined ? 0 : numerator(own),
    denominator: denominator(counts, own),
  };
}

/** A value whose change is judged once all are known. */
export interface Pending {
  readonly estimate: Estimate;
  /** The place of its change. */
  readonly change: number | null;
}

/** The values of an entity. */
export type PendingValues = Readonly<Record<SummaryMetric, Pending>>;

/** What is compared with what: the prompts of both sides in one order. */
interface GroupSides {
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
