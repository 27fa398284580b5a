import { type InsightsPresenceResponse, type PresenceWay, presenceWays } from "@sightline/contract";
import type { EntitySums } from "../facts/plan/insight-plans.ts";
import type { PresenceQuestion } from "../facts/plan/source-questions.ts";
import { emptyPart } from "./account-views.ts";
import { comparedPart, factsPart, type Measured, type Reading } from "./reading.ts";
import { changeOf, type PairClusters, type Side } from "./statistics/change.ts";
import { estimateOf } from "./statistics/estimates.ts";
import { type Cluster, momentsOf } from "./statistics/moments.ts";
import { type Change, Changes, judgingOf, noChange } from "./statistics/verdicts.ts";
import type { CountedSide, Sides } from "./summary/comparison.ts";
import type { Counts, GroupPairs } from "./summary/group-counts.ts";
import { groupSides, readSummary, type SummaryFacts } from "./summary/summary.ts";
import type { GroupSides } from "./summary/summary-metrics.ts";

/** What the facts say of how an entity is named and cited. */
export interface PresenceFacts extends SummaryFacts {
  /** Null: the entity is not tracked. */
  readonly entity: number | null;
}

/** What the facts say of how an entity is named and cited. */
export async function readPresence(
  reading: Reading,
  { entityId, ...question }: PresenceQuestion,
): Promise<PresenceFacts> {
  const parts = {
    withStability: false,
    withTrend: false,
    withExtraction: false,
    withPortrayal: false,
  };
  const asked = { ...question, ...parts, groupBy: "none" as const, entityIds: [entityId] };
  const summary = await readSummary(reading, asked);
  return { ...summary, entity: summary.entities[0]?.number ?? null };
}

type Appearances = Pick<EntitySums, "mentioned" | "cited" | "visible">;

/**
 * An answer shows an entity when it mentions or cites it, so that the four ways follow from three
 * sums: both = mentioned + cited − visible. Each is defined here and nowhere else.
 */
const sumsOfWays: Readonly<Record<PresenceWay, (own: Appearances, answers: number) => number>> = {
  both: ({ mentioned, cited, visible }) => mentioned + cited - visible,
  mentionedOnly: ({ cited, visible }) => visible - cited,
  citedOnly: ({ mentioned, visible }) => visible - mentioned,
  neither: ({ visible }, answers) => answers - visible,
};

const never: Appearances = { mentioned: 0, cited: 0, visible: 0 };

/** The most bytes that a reply takes. */
export const presenceBytesMax = 20_000;

/** The reply of POST /v1/insights/presence, as JSON. It can be paused after some sums. */
export function* presenceJson(
  question: PresenceQuestion,
  facts: Measured<PresenceFacts>,
): Generator<void, Buffer, void> {
  const { selection, compare, entityId } = question;
  const changes = new Changes(judgingOf([selection, compare ?? selection], question));
  const sides = (yield* groupSides(facts)).get(0) ?? { prompts: new Map(), compared: null };
  const prompts = [...sides.prompts.values()];
  for (const way of presenceWays) {
    addChange({ way, entity: facts.entity }, sides, changes);
    yield;
  }
  const judged = changes.judged();
  const part = (way: PresenceWay): InsightsPresenceResponse[PresenceWay] => {
    const moments = momentsOf(prompts, (each) => clusterOf({ way, entity: facts.entity }, each));
    const own = estimateOf(moments, "rate") as InsightsPresenceResponse[PresenceWay];
    if (compare === null) return own;
    // No answer passes on either side: there is nothing that changed.
    const change: Change = judged.changes[presenceWays.indexOf(way)] ?? noChange;
    return { ...own, change: change as NonNullable<typeof own.change> };
  };
  const reply: InsightsPresenceResponse = {
    entityId,
    answers: prompts.reduce((sum, { answers }) => sum + answers, 0),
    prompts: prompts.length,
    both: part("both"),
    mentionedOnly: part("mentionedOnly"),
    citedOnly: part("citedOnly"),
    neither: part("neither"),
    tests: judged.tests,
    empty: emptyPart(facts.empty),
    ...factsPart(facts.measured?.own),
    ...(facts.compared === null
      ? {}
      : { compare: comparedPart(compare ?? selection, facts.compared.sides.before, facts) }),
  };
  return Buffer.from(JSON.stringify(reply));
}

/** One of the ways of an entity; null: it is not tracked, and no answer counts. */
interface Counted {
  readonly way: PresenceWay;
  readonly entity: number | null;
}

function clusterOf({ way, entity }: Counted, { answers, entities }: Counts): Cluster {
  if (entity === null) return { numerator: 0, denominator: 0 };
  const numerator = sumsOfWays[way](entities[entity] ?? never, answers);
  return { numerator, denominator: answers };
}

function addChange(counted: Counted, { compared }: GroupSides, changes: Changes): void {
  if (compared === null) return;
  const { sides, discontinuity, continuing } = compared;
  const changeIn = ({ before, after }: Sides<CountedSide>) =>
    changeOf(sideOf(before, counted), sideOf(after, counted));
  changes.add({
    change: changeIn(sides),
    scale: "rate",
    discontinuity: discontinuity?.weight ?? 0,
    continuing: continuing && changeIn(continuing),
  });
}

function sideOf({ prompts, pairs, days }: CountedSide, counted: Counted): Side {
  const clusters = new Map<number, Cluster>();
  for (const [prompt, counts] of prompts) clusters.set(prompt, clusterOf(counted, counts));
  return {
    clusters,
    pairsOf: () => pairClusters(pairs, counted),
    days: days.map((day) => ({ ...clusterOf(counted, day), prompts: day.prompts })),
    prompts: prompts.size,
  };
}

function pairClusters(
  { pairs, answers, rows, sums }: GroupPairs,
  { way, entity }: Counted,
): PairClusters {
  const own = entity === null ? undefined : rows[entity];
  const at = (column: Float64Array | undefined, row: number) => column?.[row] ?? 0;
  const numerators = Float64Array.from(pairs, (_, place) => {
    const row = own?.[place] ?? -1;
    const shown =
      row < 0
        ? never
        : {
            mentioned: at(sums?.mentioned, row),
            cited: at(sums?.cited, row),
            visible: at(sums?.visible, row),
          };
    return sumsOfWays[way](shown, answers[place] ?? 0);
  });
  return { pairs, numerators, denominators: answers };
}
