import type { TimeSeriesRequest } from "@sightline/contract";
import type { Pieces } from "../platform/pieces.ts";
import { type EmptyPoints, emptyPoints } from "./empty-points.ts";
import { JsonPieces } from "./json-pieces.ts";
import { type MetricDefinition, metricDefinitions } from "./metric-definitions.ts";
import { NumberTexts } from "./number-texts.ts";
import type { TimeSeriesQuestion } from "./question.ts";
import type { SeriesEntity, SeriesFacts } from "./series.ts";

/**
 * The reply of operations 1 to 4, as JSON (TimeSeriesResponse): one series an entity, one point a
 * bucket, nothing carried on. Points differ in one number: written as bytes they take less than a
 * third of what objects and JSON.stringify take. It can be paused after each series.
 */
export function* timeSeriesJson(
  request: TimeSeriesRequest,
  question: TimeSeriesQuestion,
  { entities, sums }: SeriesFacts,
): Generator<void, Pieces, void> {
  const { startsMs } = question.buckets;
  const value = pointValue(metricDefinitions[question.metric], sums, startsMs.length);
  const counted = countedBuckets(sums, startsMs.length);
  const { befores, after } = textsBetween(emptyPoints(question.buckets), counted);
  const { from, to } = request.filters.timeRange;
  const range = JSON.stringify({ from, to });
  const json = new JsonPieces();
  json.add(Buffer.from(`{"interval":"${request.interval}","timeRange":${range},"series":[`));
  for (const [place, name] of namesOf(entities).entries()) {
    json.add(name);
    for (let each = 0; each < counted.length; each++) {
      json.add(befores[each] ?? nothing);
      const own = value(place + 1, counted[each] ?? 0);
      json.addText(own === null ? "null" : numbers.of(own));
    }
    json.add(after);
    json.add(end);
    yield;
  }
  json.add(end);
  return json.pieces();
}

/** The most bytes that the reply to a question with so many entities takes, nearly. */
export function timeSeriesBytesMost({ buckets }: TimeSeriesQuestion, entities: number): number {
  return entities * buckets.startsMs.length * pointBytesMax;
}

const pointBytesMax = '{"timestamp":"2026-01-05T00:00:00.000Z","value":-1.2345678901234567e-300},'
  .length;

const nothing = Buffer.alloc(0);
/** Of a series, and of the reply. */
const end = Buffer.from("]}");

const numbers = new NumberTexts();

/** By the entities: they are the same until a workspace is applied. */
const knownNames = new WeakMap<readonly SeriesEntity[], readonly Buffer[]>();

/** What stands before the points of each entity. */
function namesOf(entities: readonly SeriesEntity[]): readonly Buffer[] {
  const known = knownNames.get(entities);
  if (known !== undefined) return known;
  const names = entities.map(({ id, name }, place) =>
    Buffer.from(`${place === 0 ? "" : ","}{"id":"${id}","name":${JSON.stringify(name)},"data":[`),
  );
  knownNames.set(entities, names);
  return names;
}

/**
 * Buckets in which nothing was counted are null in every series: their points are texts between the
 * values of those in which anything was.
 */
function textsBetween({ json, valueAt }: EmptyPoints, counted: readonly number[]) {
  let from = 0;
  const befores = counted.map((bucket) => {
    const to = valueAt[bucket] ?? 0;
    const before = json.subarray(from, to);
    from = to + "null".length;
    return before;
  });
  return { befores, after: json.subarray(from) };
}

/** The buckets in which anything was counted of any entity. */
function countedBuckets(sums: readonly Float64Array[], buckets: number): readonly number[] {
  const counted: number[] = [];
  for (let bucket = 0; bucket < buckets; bucket++) {
    if (sums.some((sum) => isCounted(sum, bucket, buckets))) counted.push(bucket);
  }
  return counted;
}

function isCounted(sum: Float64Array, bucket: number, buckets: number): boolean {
  for (let place = bucket; place < sum.length; place += buckets) {
    if (sum[place] !== 0) return true;
  }
  return false;
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
