import { isPortrayalFlag, type LabelMetric, labelMetrics } from "@sightline/contract";
import type { LabelKey } from "../../answers/labels/label-store.ts";
import { type AnswerReading, planReadings } from "../../facts/plan/insight-plans.ts";
import type { Selection } from "../../facts/plan/question.ts";
import type { Grouped, Reading } from "../reading.ts";
import { type LabelledCluster, type Rectified, rectified } from "../statistics/rectified.ts";
import { byTag } from "../tag-groups.ts";
import type { GroupCounts } from "./group-counts.ts";
import { clusterOf } from "./summary-metrics.ts";

/** What the labels of an answer come to, and where it is in the record. */
export interface PlacedLabel extends Pick<LabelKey, "entityId" | "metric"> {
  readonly sequence: number;
  readonly value: boolean;
}

/** A label of an answer that passes the filters, and what extraction says. */
interface JudgedLabel {
  readonly group: number;
  readonly prompt: number;
  readonly entity: number;
  readonly metric: LabelMetric;
  readonly value: boolean;
  readonly extracted: boolean;
}

/** Looks up what extraction says of the labelled answers that pass the filters. */
export async function readLabelled(
  { engine, accountId, view: { facts }, signal }: Reading,
  selection: Selection,
  {
    groupBy,
    entities,
    labels,
  }: {
    readonly groupBy: Grouped;
    readonly entities: readonly { readonly id: string; readonly number: number }[];
    readonly labels: readonly PlacedLabel[];
  },
): Promise<readonly JudgedLabel[]> {
  const numbers = new Map(entities.map(({ id, number }) => [id, number]));
  const wanted = labels.filter(({ entityId }) => numbers.has(entityId));
  if (facts === null || wanted.length === 0) return [];
  const sequences = [...new Set(wanted.map(({ sequence }) => sequence))];
  const listed = [...new Set(numbers.values())];
  const plan = planReadings(selection, { groupBy, sequences, entities: listed }, facts.codes);
  if (plan === null) return [];
  const { generation } = facts;
  const readings = await engine.readings(accountId, { generation, plan }, signal);
  const byPlace = new Map(readings.map((each) => [placeOf(each.sequence, each.entity), each]));
  const judged = wanted.flatMap(({ sequence, entityId, metric, value }) => {
    const answer = byPlace.get(placeOf(sequence, 0));
    const entity = numbers.get(entityId);
    if (answer === undefined || entity === undefined) return [];
    const { group, prompt } = answer;
    const own = byPlace.get(placeOf(sequence, entity));
    // What is said is counted over the answers that mention the entity and were read.
    if (isPortrayalFlag(metric) && own?.read !== 1) return [];
    const extracted = isExtracted(own, metric);
    return [{ group, prompt, entity, metric, value, extracted }];
  });
  return byTag(judged, groupBy);
}

const placeOf = (sequence: number, entity: number) => `${sequence} ${entity}`;

function isExtracted(reading: AnswerReading | undefined, metric: LabelMetric): boolean {
  if (reading === undefined) return false;
  if (isPortrayalFlag(metric)) return reading[metric] === 1;
  return (metric === "mentions" ? reading.mentioned : reading.cited) === 1;
}

/** The rates of an entity in a group as labels have them. */
export type RectifiedValues = Readonly<Record<LabelMetric, Rectified & Agreement>>;

/** How well extraction and labels agree in the labelled answers. Null: nothing to divide by. */
export interface Agreement {
  readonly precision: number | null;
  readonly recall: number | null;
  /** Cohen's. */
  readonly kappa: number | null;
}

/** The agreement of extraction with labels. */
export function agreementOf(
  labels: readonly Pick<JudgedLabel, "value" | "extracted">[],
): Agreement {
  const all = labels.length;
  const counted = labels.filter(({ value }) => value).length;
  const extracted = labels.filter((label) => label.extracted).length;
  const both = labels.filter((label) => label.value && label.extracted).length;
  const neither = all - counted - extracted + both;
  const byChance = counted * extracted + (all - counted) * (all - extracted);
  return {
    precision: extracted === 0 ? null : both / extracted,
    recall: counted === 0 ? null : both / counted,
    kappa:
      byChance === all * all ? null : ((both + neither) * all - byChance) / (all * all - byChance),
  };
}

/** Gives the rates of an entity in a group; it can be paused after each. */
export type RectifiedOf = (
  group: number,
  entity: number,
  counts: GroupCounts,
) => Generator<void, RectifiedValues, void>;

/** The rates of a reply, by what labels say of its answers. */
export function rectifiedRates(labels: readonly JudgedLabel[]): RectifiedOf {
  const byRate = Map.groupBy(labels, ({ group, entity, metric }) => `${group} ${entity} ${metric}`);
  return function* (group, entity, counts) {
    const values: (readonly [LabelMetric, Rectified & Agreement])[] = [];
    for (const metric of labelMetrics) {
      const own = byRate.get(`${group} ${entity} ${metric}`) ?? [];
      const rate = rectified(labelledClusters(own, { metric, entity, counts }));
      values.push([metric, { ...rate, ...agreementOf(own) }]);
      yield;
    }
    return Object.fromEntries(values) as RectifiedValues;
  };
}

function labelledClusters(
  labels: readonly JudgedLabel[],
  {
    metric,
    entity,
    counts,
  }: { readonly metric: LabelMetric; readonly entity: number; readonly counts: GroupCounts },
): readonly LabelledCluster[] {
  if (labels.length === 0) return [];
  const byPrompt = Map.groupBy(labels, ({ prompt }) => prompt);
  return [...counts].map(([prompt, own]) => {
    const { numerator: hits, denominator: answers } = clusterOf(metric, entity, own);
    const said = byPrompt.get(prompt) ?? [];
    return {
      answers,
      hits,
      labelled: said.length,
      missed: said.filter(({ value, extracted }) => value && !extracted).length,
      wrong: said.filter(({ value, extracted }) => !value && extracted).length,
    };
  });
}
