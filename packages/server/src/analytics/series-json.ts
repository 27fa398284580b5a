import type { TimeSeriesRequest } from "@sightline/contract";
import { type MetricDefinition, metricDefinitions } from "./metric-definitions.ts";
import type { TimeSeriesQuestion } from "./question.ts";
import type { SeriesFacts } from "./series.ts";

/**
 * The reply of operations 1 to 4, as JSON (TimeSeriesResponse): one series an entity, one point a
 * bucket, nothing carried on. It can be paused after each series.
 */
export function* timeSeriesJson(
  request: TimeSeriesRequest,
  question: TimeSeriesQuestion,
  { entities, sums }: SeriesFacts,
): Generator<void, Buffer, void> {
  const timestamps = question.buckets.startsMs.map((startMs) => new Date(startMs).toISOString());
  const value = pointValue(metricDefinitions[question.metric], sums, timestamps.length);
  const { from, to } = request.filters.timeRange;
  const range = JSON.stringify({ from, to });
  const start = `{"interval":"${request.interval}","timeRange":${range},"series":[`;
  const chunks = [Buffer.from(start)];
  for (const [place, { id, name }] of entities.entries()) {
    const data = timestamps.map((timestamp, bucket) => {
      return { timestamp, value: value(place + 1, bucket) };
    });
    const series = JSON.stringify({ id, name, data });
    chunks.push(Buffer.from(place === 0 ? series : `,${series}`));
    yield;
  }
  return Buffer.concat([...chunks, Buffer.from("]}")]);
}

/** The most bytes that the reply to a question with so many entities takes, nearly. */
export function timeSeriesBytesMost({ buckets }: TimeSeriesQuestion, entities: number): number {
  return entities * buckets.startsMs.length * pointBytesMax;
}

const pointBytesMax = '{"timestamp":"2026-01-05T00:00:00.000Z","value":-1.2345678901234567e-300},'
  .length;

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
