import type { DuckDBVector } from "@duckdb/node-api";
import type { TimeSeriesPlan } from "../../analytics/plan.ts";
import type { SourcesFacts } from "../../analytics/source-page.ts";
import type { Chunks } from "./run-statement.ts";

/** The sums of a time series; see SeriesFacts. `entities` counts entity 0. */
export interface SumsShape {
  readonly entities: number;
  readonly buckets: number;
}

/** Reads (bucket, entity, one sum a measure) into an array a measure: entity × buckets + bucket. */
export function readSums(
  chunks: Chunks,
  { firstBucket, measures }: TimeSeriesPlan,
  { entities, buckets }: SumsShape,
): readonly Float64Array[] {
  const sums = measures.map(() => new Float64Array(entities * buckets));
  for (const chunk of chunks) {
    const { rowCount } = chunk;
    const bucketOf = numbers(chunk.getColumnVector(0));
    const entityOf = numbers(chunk.getColumnVector(1));
    for (const [measure, into] of sums.entries()) {
      const sumOf = numbers(chunk.getColumnVector(2 + measure));
      for (let row = 0; row < rowCount; row++) {
        const place = entityOf(row) * buckets + bucketOf(row) - firstBucket;
        into[place] = (into[place] ?? 0) + sumOf(row);
      }
    }
  }
  return sums;
}

/** Reads (total, all citations, source, its citations); the source is null on an empty page. */
export function readSources(chunks: Chunks): Omit<SourcesFacts, "choice"> {
  const page: { readonly source: string; readonly citations: number }[] = [];
  let [total, citations] = [0, 0];
  for (const chunk of chunks) {
    const own = numbers(chunk.getColumnVector(3));
    const names = chunk.getColumnVector(2);
    total = numbers(chunk.getColumnVector(0))(0);
    citations = numbers(chunk.getColumnVector(1))(0);
    const { rowCount } = chunk;
    for (let row = 0; row < rowCount; row++) {
      const source = names.getItem(row);
      if (source !== null) page.push({ source: String(source), citations: own(row) });
    }
  }
  return { total, citations, page };
}

/** A column of integers or doubles without nulls. */
function numbers(vector: DuckDBVector): (row: number) => number {
  return (row) => vector.getItem(row) as number;
}
