import {
  type InsightsSummaryResponse,
  type LabelMetric,
  type PortrayalFlag,
  type SummaryMetricName,
  stabilityPairsMin,
} from "@sightline/contract";
import type { AlikePairs } from "../../facts/plan/insight-plans.ts";
import type { SeriesEntity } from "../../facts/plan/series.ts";
import { type Estimate, estimateOf, flagsOf } from "../statistics/estimates.ts";
import type { Change } from "../statistics/verdicts.ts";
import type { RectifiedValues } from "./extraction.ts";
import type { GroupCounts } from "./group-counts.ts";
import { type LanguagesOf, portrayalPart } from "./portrayal.ts";
import { informativeMoments, type PendingValues } from "./summary-metrics.ts";
import type { JudgedTrend, Trends } from "./trends.ts";

/** An entity that a summary lists. */
export interface ListedEntity extends SeriesEntity {
  /** Its place in the series, from 1. */
  readonly number: number;
}

/** A group of a reply: its number in the facts, and what it is called. */
export interface NamedGroup {
  readonly number: number;
  readonly key: string | null;
  readonly name: string;
}

type Group = InsightsSummaryResponse["groups"][number];
type Value = Group["informative"];

/** The same of an entity. */
export interface PendingEntity extends ListedEntity {
  readonly values: PendingValues<SummaryMetricName>;
  /** Null: they were not asked for. */
  readonly said: PendingValues<PortrayalFlag> | null;
  /** Null: they were not asked for. */
  readonly rectified: RectifiedValues | null;
}

/** The values of a group, some of which are judged once all are known. */
export interface PendingGroup extends NamedGroup {
  readonly counts: GroupCounts;
  readonly entities: readonly PendingEntity[];
}

/** What all groups of a reply are written with. */
interface GroupsWith {
  readonly changes: readonly Change[];
  /** Of what is said of the entities. */
  readonly saidChanges: readonly Change[];
  /** Null: they were not asked for; so below. */
  readonly trends: Trends | null;
  readonly stability: ReadonlyMap<number, Stability> | null;
  readonly languages: LanguagesOf | null;
}

/** A group as a reply has it. */
export function groupPart(
  { number, key, name, counts, entities }: PendingGroup,
  { changes, saidChanges, trends, stability, languages }: GroupsWith,
): Group {
  const prompts = [...counts.values()];
  const informative = estimateOf(informativeMoments(prompts), "rate");
  const { denominator: answers, effectivePrompts } = informative;
  return {
    key,
    name,
    answers,
    prompts: prompts.length,
    lastAnsweredAt: answers === 0 ? null : lastOf(counts),
    informative: valuePart(informative),
    flags: [...flagsOf(effectivePrompts, null)],
    ...(stability === null ? {} : { stability: stability.get(number) ?? noStability }),
    entities: entities.map(({ id, name: called, number: entity, values, said, rectified }) => {
      const part = (metric: SummaryMetricName): Value => {
        const { estimate, change } = values[metric];
        const own = valuePart(estimate, change === null ? undefined : changes[change]);
        if (trends === null) return own;
        return { ...own, trend: trendPart(trends(number, entity, metric)) };
      };
      const withLabels = (own: Value, metric: LabelMetric): Value => {
        if (rectified === null) return own;
        const extraction = rectified[metric] as NonNullable<Value["extraction"]>;
        return { ...own, extraction };
      };
      return {
        id,
        name: called,
        mentions: withLabels(part("mentions"), "mentions"),
        visibility: part("visibility"),
        citations: withLabels(part("citations"), "citations"),
        rank: part("rank"),
        shareOfVoice: part("shareOfVoice"),
        ...(said === null || languages === null
          ? {}
          : {
              portrayal: portrayalPart(languages(number, entity), (flag) => {
                const { estimate, change } = said[flag];
                const own = change === null ? undefined : saidChanges[change];
                return withLabels(valuePart(estimate, own), flag);
              }),
            }),
      };
    }),
  };
}

function lastOf(counts: GroupCounts): string {
  let last = Number.NEGATIVE_INFINITY;
  for (const { lastMs } of counts.values()) last = Math.max(last, lastMs);
  return new Date(last).toISOString();
}

function trendPart(trend: JudgedTrend | null): NonNullable<Value["trend"]> | null {
  if (trend === null) return null;
  const { slope, values, from, effectivePrompts, interval, p, adjustedP, verdict } = trend;
  return { slope, weeks: values.length, from, effectivePrompts, interval, p, adjustedP, verdict };
}

function valuePart(estimate: Estimate, change?: Change): Value {
  // Some ten thousand values of a reply share their lists of flags.
  const own = estimate as Value;
  return change === undefined ? own : { ...own, change: change as NonNullable<Value["change"]> };
}

/** How alike the cited domains of a group's consecutive answers are. */
export interface Stability {
  /** Null: too few pairs. */
  readonly value: number | null;
  readonly pairs: number;
}

/** The stability of each group that has pairs. Rows may come in any order, in several parts. */
export function stabilityOf(rows: readonly AlikePairs[]): ReadonlyMap<number, Stability> {
  const sums = new Map<number, { likeness: number; pairs: number }>();
  // In one order, so that rounding is the same on every engine.
  const ordered = rows.toSorted((a, b) => a.either - b.either || a.shared - b.shared);
  for (const { group, shared, either, pairs } of ordered) {
    const own = sums.get(group) ?? { likeness: 0, pairs: 0 };
    own.likeness += (pairs * shared) / either;
    own.pairs += pairs;
    sums.set(group, own);
  }
  return new Map([...sums].map(([group, { likeness, pairs }]) => [group, mean(likeness, pairs)]));
}

/** Of a group without pairs. */
const noStability: Stability = { value: null, pairs: 0 };

function mean(likeness: number, pairs: number): Stability {
  return { value: pairs < stabilityPairsMin ? null : likeness / pairs, pairs };
}
