import type { SeriesMark, TimeSeriesRequest } from "@sightline/contract";
import { bucketDays } from "../facts/plan/buckets.ts";
import { type MetricDefinition, metricDefinitions } from "../facts/plan/plan.ts";
import type { TimeSeriesQuestion } from "../facts/plan/question.ts";
import type { SeriesFacts, SeriesSpread } from "../facts/plan/series.ts";
import { factsPart, type MeasuredSides } from "./reading.ts";
import { estimateOf, type Interval } from "./statistics/estimates.ts";

/** What a point's value is made of. */
interface PointCounts {
  /** Numerator over denominator; null when the denominator is 0. */
  readonly value: number | null;
  readonly numerator: number;
  readonly denominator: number;
  /** No answer of the bucket passes the filters. */
  readonly empty: boolean;
}

/** The counts of a point, and the interval of its value. */
interface EstimatedPoint extends Omit<PointCounts, "empty"> {
  /** Null: too few effective prompts in the bucket, no value, or ranks that do not vary. */
  readonly interval: Interval | null;
  readonly empty: boolean;
}

/** The counts of entity e in bucket b, from the sums of SeriesFacts. */
function pointCounts(
  { per }: MetricDefinition,
  sums: readonly Float64Array[],
  buckets: number,
): (entity: number, bucket: number) => PointCounts {
  const [numerators = none, own = numerators] = sums;
  return (entity, bucket) => {
    const place = entity * buckets + bucket;
    const numerator = numerators[place] ?? 0;
    // Entity 0 is the answer itself, which counts in each measure that something is divided by.
    const answers = own[bucket] ?? 0;
    const denominator = per === "answers" ? answers : (own[place] ?? 0);
    const value = denominator === 0 ? null : numerator / denominator;
    return { value, numerator, denominator, empty: answers === 0 };
  };
}

const none = new Float64Array();

/** The points of entity e in bucket b, with intervals where the spread is known. */
function estimatedPoints(
  definition: MetricDefinition,
  { sums, spread, buckets }: SpreadSums,
): (entity: number, bucket: number) => EstimatedPoint {
  const counts = pointCounts(definition, sums, buckets);
  const isOfAnswers = definition.per === "answers";
  return (entity, bucket) => {
    const { empty, ...point } = counts(entity, bucket);
    const place = entity * buckets + bucket;
    if (spread === null || point.value === null) return { ...point, interval: null, empty };
    const everybodys = isOfAnswers ? bucket : place;
    const moments = {
      ...point,
      prompts: spread.prompts[everybodys] ?? 0,
      numeratorSquares: spread.numeratorSquares[place] ?? 0,
      denominatorSquares: spread.denominatorSquares[everybodys] ?? 0,
      products: spread.products[place] ?? 0,
    };
    const scale = definition.unit === "place" ? "rank" : "rate";
    const { interval } = estimateOf(moments, scale);
    return { ...point, interval, empty };
  };
}

/** The sums of a series, and how its prompts vary. */
interface SpreadSums {
  readonly sums: readonly Float64Array[];
  readonly spread: SeriesSpread | null;
  readonly buckets: number;
}

/** What is said only when it is asked for; null: it is not. */
interface AddedParts {
  readonly measured: MeasuredSides | null;
  readonly marks: readonly SeriesMark[] | null;
}

/** A reply that is to be written. */
export interface SeriesReply {
  /** Its interval and range are repeated as they were sent. */
  readonly request: TimeSeriesRequest;
  readonly question: TimeSeriesQuestion;
  /** `values`: as the interface has them. `counts`: with what each is made of, and its interval. */
  readonly points: "values" | "counts";
}

/**
 * The reply of operations 1 to 4 (TimeSeriesResponse) or of their addition with counts
 * (InsightsSeriesResponse), as JSON: one series an entity, one point a bucket, nothing carried on.
 * It can be paused after each series.
 */
export function* timeSeriesJson(
  { request, question, points }: SeriesReply,
  { entities, sums, spread, lastMs }: SeriesFacts,
  { measured, marks }: AddedParts,
): Generator<void, Buffer, void> {
  const timestamps = question.buckets.startsMs.map((startMs) => new Date(startMs).toISOString());
  const definition = metricDefinitions[question.metric];
  const counts = pointCounts(definition, sums, timestamps.length);
  const estimated = estimatedPoints(definition, { sums, spread, buckets: timestamps.length });
  const days = points === "counts" ? bucketDays(question.buckets, question.selection, lastMs) : [];
  const { from, to } = request.filters.timeRange;
  const range = JSON.stringify({ from, to });
  const start = `{"interval":"${request.interval}","timeRange":${range},"series":[`;
  const chunks = [Buffer.from(start)];
  for (const [place, { id, name }] of entities.entries()) {
    const data = timestamps.map((timestamp, bucket) => {
      if (points === "counts") {
        return { timestamp, ...estimated(place + 1, bucket), ...days[bucket] };
      }
      return { timestamp, value: counts(place + 1, bucket).value };
    });
    const series = JSON.stringify({ id, name, data });
    chunks.push(Buffer.from(place === 0 ? series : `,${series}`));
    yield;
  }
  const added = { ...(marks === null ? {} : { marks }), ...factsPart(measured?.own) };
  const rest = JSON.stringify(added).slice(1);
  return Buffer.concat([...chunks, Buffer.from(rest === "}" ? "]}" : `],${rest}`)]);
}

/** The most bytes that the reply to a question with so many entities takes, nearly. */
export function timeSeriesBytesMax({ question, points }: SeriesReply, entities: number): number {
  return entities * question.buckets.startsMs.length * longestPoint[points].length;
}

/** The longest points, nearly. */
const longestPoint: Readonly<Record<SeriesReply["points"], string>> = {
  values: '{"timestamp":"2026-01-05T00:00:00.000Z","value":-1.2345678901234567e-300},',
  counts:
    '{"timestamp":"2026-01-05T00:00:00.000Z","value":0.00012345678901234567,' +
    '"numerator":1000000000,"denominator":1000000000,"interval":{' +
    '"low":0.00012345678901234567,"high":0.00012345678901234567},"empty":false,' +
    '"covered":12.345678901234567,"days":31},',
};
