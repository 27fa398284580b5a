import { type SummaryMetricName, summaryMetricNames } from "@sightline/contract";
import type { PromptCounts, PromptSums } from "../facts/plan/prompt-sums.ts";
import type { Scale } from "./estimates/clusters.ts";
import { type Cluster, type Moments, momentsOf } from "./estimates/moments.ts";

/** The values of an entity in a summary. */
export const summaryMetrics = summaryMetricNames;

/** One of the values of an entity in a summary. */
export type SummaryMetric = SummaryMetricName;

/** A value of a summary is data: how its interval is made, and what a prompt adds to it. */
interface SummaryMetricDefinition {
  readonly scale: Scale;
  readonly numerator: (own: PromptSums) => number;
  readonly denominator: (counts: PromptCounts, own: PromptSums | undefined) => number;
}

const answers = (counts: PromptCounts) => counts.answers;

/** The values of an entity in a summary. Each is defined here and nowhere else. */
export const summaryDefinitions: Readonly<Record<SummaryMetric, SummaryMetricDefinition>> = {
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
export function clustersOf(
  metric: SummaryMetric,
  entity: number,
  prompts: readonly (PromptCounts | undefined)[],
): readonly Cluster[] {
  return prompts.map((counts) =>
    counts === undefined ? nothing : clusterOf(metric, entity, counts),
  );
}

/** The moments of what prompts add to an entity's value. */
export function summaryMoments(
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
