import type { TimeSeriesRequest } from "@sightline/contract";
import { bucketDays } from "../facts/plan/buckets.ts";
import { metricDefinitions } from "../facts/plan/metric-definitions.ts";
import type { TimeSeriesQuestion } from "../facts/plan/question.ts";
import type { SeriesFacts } from "../facts/plan/series.ts";
import { estimatedPoints, pointCounts } from "./point-counts.ts";

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
  return Buffer.concat([...chunks, Buffer.from("]}")]);
}

/** The most bytes that the reply to a question with so many entities takes, nearly. */
export function timeSeriesBytesMost({ question, points }: SeriesReply, entities: number): number {
  return entities * question.buckets.startsMs.length * pointsMost[points].length;
}

/** The longest points, nearly. */
const pointsMost: Readonly<Record<SeriesReply["points"], string>> = {
  values: '{"timestamp":"2026-01-05T00:00:00.000Z","value":-1.2345678901234567e-300},',
  counts:
    '{"timestamp":"2026-01-05T00:00:00.000Z","value":0.00012345678901234567,' +
    '"numerator":1000000000,"denominator":1000000000,"interval":{' +
    '"low":0.00012345678901234567,"high":0.00012345678901234567},"empty":false,' +
    '"covered":12.345678901234567,"days":31},',
};
