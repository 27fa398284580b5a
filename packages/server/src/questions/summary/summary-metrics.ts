import {
  type ChangesMetricName,
  isPortrayalFlag,
  type PortrayalFlag,
  summaryMetricNames,
} from "@sightline/contract";
import type { EntitySums } from "../../facts/plan/insight-plans.ts";
import type { GroupDiscontinuity } from "../discontinuity.ts";
import { changeOf, type PairClusters, type Side } from "../statistics/change.ts";
import { type Estimate, estimateOf, type Scale } from "../statistics/estimates.ts";
import { type Cluster, type Moments, momentsOf } from "../statistics/moments.ts";
import type { Changes } from "../statistics/verdicts.ts";
import type { CountedSide, Sides } from "./comparison.ts";
import type { Counts, GroupCounts, GroupPairs, PromptCounts } from "./group-counts.ts";

/** The values of an entity in a summary. */
export const summaryMetrics = summaryMetricNames;

/** A value of a summary is data: how its interval is made, and what answers add to it. */
interface SummaryMetricDefinition {
  readonly scale: Scale;
  readonly numerator: (own: Omit<EntitySums, "group" | "entity">) => number;
  readonly denominator: (
    counts: Counts,
    own: Omit<EntitySums, "group" | "entity"> | undefined,
  ) => number;
}

const answers = (counts: Counts) => counts.answers;

/** How often answers say something of an entity, of those that mention it and were read for it. */
const said = (flag: PortrayalFlag): SummaryMetricDefinition => ({
  scale: "rate",
  numerator: (own) => own[flag] ?? 0,
  denominator: (_counts, own) => own?.read ?? 0,
});

/** The values of an entity in a summary. Each is defined here and nowhere else. */
const summaryDefinitions: Readonly<Record<ChangesMetricName, SummaryMetricDefinition>> = {
  mentions: { scale: "rate", numerator: (own) => own.mentioned, denominator: answers },
  visibility: { scale: "rate", numerator: (own) => own.visible, denominator: answers },
  citations: { scale: "rate", numerator: (own) => own.cited, denominator: answers },
  rank: {
    scale: "rank",
    numerator: (own) => own.rank,
    denominator: (_counts, own) => own?.mentioned ?? 0,
  },
  shareOfVoice: {
    scale: "rate",
    numerator: (own) => own.mentioned,
    denominator: (counts) => counts.mentions,
  },
  recommended: said("recommended"),
  praised: said("praised"),
  criticized: said("criticized"),
  discouraged: said("discouraged"),
  notFound: said("notFound"),
};

/** How the interval of a value is made. */
export function scaleOf(metric: ChangesMetricName): Scale {
  return summaryDefinitions[metric].scale;
}

/** What some answers add to an entity's value. */
export function clusterOf(metric: ChangesMetricName, entity: number, counts: Counts): Cluster {
  const { numerator, denominator } = summaryDefinitions[metric];
  const own = counts.entities[entity];
  return {
    numerator: own === undefined ? 0 : numerator(own),
    denominator: denominator(counts, own),
  };
}

/** The moments of what prompts add to the share of informative answers. */
export function informativeMoments(prompts: readonly PromptCounts[]): Moments {
  return momentsOf(prompts, ({ informative: numerator, answers: denominator }) => {
    return { numerator, denominator };
  });
}

/** A group, and what it is compared with. */
export interface GroupSides {
  readonly prompts: GroupCounts;
  /** Null: nothing is compared. */
  readonly compared: {
    readonly sides: Sides<CountedSide>;
    /** Null: the same models answered on the same surfaces. */
    readonly discontinuity: GroupDiscontinuity | null;
    /** Of the providers that stayed as they were; null: none or all did. */
    readonly continuing: Sides<CountedSide> | null;
  } | null;
}

/** A value whose change is judged once all are known. */
interface Pending {
  readonly estimate: Estimate;
  /** The place of its change. */
  readonly change: number | null;
}

/** Values of an entity. */
export type PendingValues<Name extends ChangesMetricName> = Readonly<Record<Name, Pending>>;

/** Values of an entity in a group; it can be paused after each. */
export function* valuesOf<Name extends ChangesMetricName>(
  metrics: readonly Name[],
  entity: number,
  { sides, changes }: { readonly sides: GroupSides; readonly changes: Changes },
): Generator<void, PendingValues<Name>, void> {
  const prompts = [...sides.prompts.values()];
  const values: (readonly [Name, Pending])[] = [];
  for (const metric of metrics) {
    const moments = momentsOf(prompts, (counts) => clusterOf(metric, entity, counts));
    const estimate = estimateOf(moments, scaleOf(metric));
    values.push([metric, { estimate, change: addChange(metric, entity, { sides, changes }) }]);
    yield;
  }
  return Object.fromEntries(values) as PendingValues<Name>;
}

/** Adds the change of a value. @returns its place; null: nothing is compared. */
export function addChange(
  metric: ChangesMetricName,
  entity: number,
  { sides, changes }: { readonly sides: GroupSides; readonly changes: Changes },
): number | null {
  if (sides.compared === null) return null;
  const { discontinuity, continuing } = sides.compared;
  const changeIn = ({ before, after }: Sides<CountedSide>) =>
    changeOf(sideOf(before, metric, entity), sideOf(after, metric, entity));
  return changes.add({
    change: changeIn(sides.compared.sides),
    scale: scaleOf(metric),
    discontinuity: discontinuity?.weight ?? 0,
    continuing: continuing && changeIn(continuing),
  });
}

/** One side of a value's change. */
function sideOf(
  { prompts, pairs, days }: CountedSide,
  metric: ChangesMetricName,
  entity: number,
): Side {
  const clusters = new Map<number, Cluster>();
  for (const [prompt, counts] of prompts) clusters.set(prompt, clusterOf(metric, entity, counts));
  return {
    clusters,
    pairsOf: () => pairClusters(metric, entity, pairs),
    days: days.map((day) => {
      const { numerator, denominator } = clusterOf(metric, entity, day);
      return { numerator, denominator, prompts: day.prompts };
    }),
    prompts: prompts.size,
  };
}

const pairColumns = {
  mentions: "mentioned",
  visibility: "visible",
  citations: "cited",
  rank: "rank",
  shareOfVoice: "voiced",
  recommended: "recommended",
  praised: "praised",
  criticized: "criticized",
  discouraged: "discouraged",
  notFound: "notFound",
} as const satisfies Readonly<Record<ChangesMetricName, string>>;

const none = new Float64Array();

/** What each pair adds to an entity's value, of the prompts that count for it on both sides. */
function pairClusters(
  metric: ChangesMetricName,
  entity: number,
  { pairs, answers: asked, voiced, rows, sums }: GroupPairs,
): PairClusters {
  const own = rows[entity];
  const columnOf = (name: "named" | "read" | (typeof pairColumns)[ChangesMetricName]) => {
    const column = new Float64Array(pairs.length);
    if (own === undefined || sums === null) return column;
    const found = sums[name] ?? none;
    for (let place = 0; place < own.length; place += 1) {
      const row = own[place] ?? -1;
      if (row >= 0) column[place] = found[row] ?? 0;
    }
    return column;
  };
  const numerators = columnOf(pairColumns[metric]);
  if (metric === "rank") return { pairs, numerators, denominators: columnOf("named") };
  if (isPortrayalFlag(metric)) return { pairs, numerators, denominators: columnOf("read") };
  return { pairs, numerators, denominators: metric === "shareOfVoice" ? voiced : asked };
}
