import type { SourceAnalysisResponse, TimeSeriesResponse } from "@sightline/contract";
import type { Question, SeriesQuestion } from "./questions.ts";

/** Sums of one entity in one bucket, as any engine gives them. */
export interface SeriesRow {
  /** Start of the bucket, in milliseconds since 1970. */
  readonly bucketMs: number;
  /** 0: all answers of the bucket; else 1 + the entity's number. */
  readonly entity: number;
  /** What is counted: answers, or the sum of ranks. */
  readonly sum: number;
  /** For the rank: answers that mention the entity. */
  readonly mentions: number;
}

/** A source of a page, as any engine gives it. */
export interface SourceRow {
  readonly source: string;
  readonly citations: number;
  /** Distinct sources that pass; the same in every row. */
  readonly total: number;
  /** All citations that pass; the same in every row. */
  readonly allCitations: number;
}

/** What an engine says to a question. */
export type EngineRows =
  | { readonly kind: "series"; readonly rows: readonly SeriesRow[] }
  | { readonly kind: "sources"; readonly rows: readonly SourceRow[] };

const tolerance = 1e-9;

/** Where the service's reply and an engine's rows differ; null: nowhere. */
export function differenceOf(question: Question, reply: string, rows: EngineRows): string | null {
  if (question.kind === "series" && rows.kind === "series") {
    return seriesDifference(question, JSON.parse(reply) as TimeSeriesResponse, rows.rows);
  }
  if (question.kind === "sources" && rows.kind === "sources") {
    return sourcesDifference(JSON.parse(reply) as SourceAnalysisResponse, rows.rows);
  }
  return "rows of another kind";
}

function seriesDifference(
  { metric }: SeriesQuestion,
  { series }: TimeSeriesResponse,
  rows: readonly SeriesRow[],
): string | null {
  const found = new Map(rows.map((row) => [`${row.bucketMs}/${row.entity}`, row]));
  const buckets = new Set<number>();
  for (const [place, { name, data }] of series.entries()) {
    for (const { timestamp, value } of data) {
      const bucketMs = Date.parse(timestamp);
      buckets.add(bucketMs);
      const own = found.get(`${bucketMs}/${place + 1}`);
      const answers = found.get(`${bucketMs}/0`)?.sum ?? 0;
      const per = metric === "rank" ? (own?.mentions ?? 0) : answers;
      const wanted = per === 0 ? null : (own?.sum ?? 0) / per;
      if (!isClose(value, wanted)) return `${name} at ${timestamp}: ${value}, peer ${wanted}`;
    }
  }
  const stray = rows.find(({ bucketMs }) => !buckets.has(bucketMs));
  if (stray !== undefined) return `the peer has a bucket at ${stray.bucketMs}`;
  return null;
}

function sourcesDifference(
  { sources, pagination }: SourceAnalysisResponse,
  rows: readonly SourceRow[],
): string | null {
  const [first] = rows;
  if (first === undefined) return sources.length === 0 ? null : "the peer has no rows";
  if (pagination.total !== first.total) {
    return `total ${pagination.total}, peer ${first.total}`;
  }
  if (sources.length !== rows.length) return `${sources.length} rows, peer ${rows.length}`;
  for (const [place, { source, citations, share }] of sources.entries()) {
    const row = rows[place];
    const wanted = (row?.citations ?? 0) / (row?.allCitations ?? 0);
    if (source !== row?.source || citations !== row.citations || !isClose(share, wanted)) {
      const other = `${row?.source} ${row?.citations} ${wanted}`;
      return `place ${place}: ${source} ${citations} ${share}, peer ${other}`;
    }
  }
  return null;
}

function isClose(value: number | null, wanted: number | null): boolean {
  if (value === null || wanted === null) return value === wanted;
  return Math.abs(value - wanted) <= tolerance;
}
