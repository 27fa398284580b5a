import type { TimeSeriesRequest, TimeSeriesResponse } from "@sightline/contract";
import { type MetricDefinition, metricDefinitions } from "./metric-definitions.ts";
import type { TimeSeriesQuestion } from "./question.ts";

/** A tracked entity as a series shows it. */
export interface SeriesEntity {
  readonly id: string;
  readonly name: string;
}

/** The sums of one entity in one bucket. A pair without any row has no sums. */
export interface SeriesRow {
  /** Place of the bucket among the question's buckets, from 0. */
  readonly bucket: number;
  /** 0: all answers; else 1 + the entity's place among the series. */
  readonly entity: number;
  /** In the order of the plan's measures. */
  readonly sums: readonly number[];
}

/** What the facts say to a time series. */
export interface SeriesFacts {
  /** In the order of the series. */
  readonly entities: readonly SeriesEntity[];
  readonly rows: readonly SeriesRow[];
}

/** The reply of operations 1 to 4: one series an entity, one point a bucket, nothing carried on. */
export function toTimeSeries(
  request: TimeSeriesRequest,
  question: TimeSeriesQuestion,
  facts: SeriesFacts,
): TimeSeriesResponse {
  const definition = metricDefinitions[question.metric];
  const sums = new Map(facts.rows.map((row) => [`${row.entity}/${row.bucket}`, row.sums]));
  const timestamps = question.buckets.startsMs.map((startMs) => new Date(startMs).toISOString());
  return {
    interval: request.interval,
    timeRange: { from: request.filters.timeRange.from, to: request.filters.timeRange.to },
    series: facts.entities.map(({ id, name }, place) => ({
      id,
      name,
      data: timestamps.map((timestamp, bucket) => ({
        timestamp,
        value: pointValue(definition, sums.get(`${place + 1}/${bucket}`), sums.get(`0/${bucket}`)),
      })),
    })),
  };
}

type Sums = readonly number[] | undefined;

/** Numerator over denominator; null when the denominator is nothing. */
function pointValue({ per }: MetricDefinition, own: Sums, answers: Sums): number | null {
  const numerator = own?.[0] ?? 0;
  const denominator = (per === "answers" ? answers?.[0] : own?.[1]) ?? 0;
  return denominator === 0 ? null : numerator / denominator;
}
