import type { TimeSeriesRequest } from "@sightline/contract";
import { type MetricDefinition, metricDefinitions } from "./metric-definitions.ts";
import type { PlanUsed } from "./plan.ts";
import type { TimeSeriesQuestion } from "./question.ts";

/** A tracked entity as a series shows it. */
export interface SeriesEntity {
  readonly id: string;
  readonly name: string;
}

/** What the facts say to a time series. */
export interface SeriesFacts {
  /** In the order of the series. */
  readonly entities: readonly SeriesEntity[];
  /**
   * For each of the metric's measures: the sum of entity e in bucket b at e × buckets + b. Entity 0
   * is all answers, entity e is the series e - 1. Nothing counted is 0.
   */
  readonly sums: readonly Float64Array[];
  readonly used: PlanUsed;
}

/**
 * The reply of operations 1 to 4, as JSON (TimeSeriesResponse): one series an entity, one point a
 * bucket, nothing carried on. A reply has up to millions of points that differ in one number:
 * written as text it takes a third of what objects and JSON.stringify take.
 */
export function timeSeriesJson(
  request: TimeSeriesRequest,
  question: TimeSeriesQuestion,
  { entities, sums }: SeriesFacts,
): string {
  const { startsMs } = question.buckets;
  const value = pointValue(metricDefinitions[question.metric], sums, startsMs.length);
  const beginnings = startsMs.map(
    (startMs, bucket) =>
      `${bucket === 0 ? "" : ","}{"timestamp":"${new Date(startMs).toISOString()}","value":`,
  );
  const isEmpty = (bucket: number) =>
    sums.every((sum) => isNothing(sum, { entities: entities.length + 1, bucket }, startsMs.length));
  const { filled, after } = filledPoints(beginnings, isEmpty);
  const { from, to } = request.filters.timeRange;
  const range = JSON.stringify({ from, to });
  let json = `{"interval":"${request.interval}","timeRange":${range},"series":[`;
  for (const [place, { id, name }] of entities.entries()) {
    json += `${place === 0 ? "" : ","}{"id":"${id}","name":${JSON.stringify(name)},"data":[`;
    for (const { before, bucket } of filled) json += before + value(place + 1, bucket);
    json += `${after}]}`;
  }
  return `${json}]}`;
}

/** Where a series has a value of its own, and the text of the points in between and at the end. */
interface FilledPoints {
  readonly filled: readonly { readonly bucket: number; readonly before: string }[];
  readonly after: string;
}

/** Buckets in which nothing was counted are null in every series: their text is written once. */
function filledPoints(
  beginnings: readonly string[],
  isEmpty: (bucket: number) => boolean,
): FilledPoints {
  const filled: { readonly bucket: number; readonly before: string }[] = [];
  let text = "";
  for (const [bucket, beginning] of beginnings.entries()) {
    text += beginning;
    if (isEmpty(bucket)) {
      text += "null}";
    } else {
      filled.push({ bucket, before: text });
      text = "}";
    }
  }
  return { filled, after: text };
}

/** Whether nothing was counted of any entity in a bucket. */
function isNothing(
  sums: Float64Array,
  { entities, bucket }: { readonly entities: number; readonly bucket: number },
  buckets: number,
): boolean {
  for (let entity = 0; entity < entities; entity++) {
    if (sums[entity * buckets + bucket] !== 0) return false;
  }
  return true;
}

/** Numerator over denominator of an entity in a bucket; null when the denominator is nothing. */
function pointValue({ per }: MetricDefinition, sums: readonly Float64Array[], buckets: number) {
  const [numerators = none, mentions = none] = sums;
  return (entity: number, bucket: number): number | null => {
    const place = entity * buckets + bucket;
    const denominator = per === "answers" ? numerators[bucket] : mentions[place];
    if (denominator === undefined || denominator === 0) return null;
    return (numerators[place] ?? 0) / denominator;
  };
}

const none = new Float64Array();
