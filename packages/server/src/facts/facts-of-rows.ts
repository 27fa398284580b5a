import type { Row } from "../platform/row-shape.ts";
import { providersOf, regionsOf } from "./codes.ts";
import type { FactsCoverage } from "./coverage.ts";
import type { TimeSeriesPlan } from "./plan/plan.ts";
import type { SeriesFacts } from "./plan/series.ts";
import type { SourcesFacts } from "./plan/source-gaps.ts";
import type { coverageShape, sumShape } from "./statements/counts.ts";
import type { pageShape, spreadShape } from "./statements/dialect.ts";

/** The sums of each of a plan's measures: entity × buckets + bucket; see SeriesFacts. */
export function sumsOf(
  rows: readonly Row<typeof sumShape>[],
  { entities, startsMs, firstBucket, measures }: TimeSeriesPlan,
): readonly Float64Array[] {
  const buckets = startsMs.length;
  const sums = new Float64Array((entities + 1) * buckets);
  const mentioned = new Float64Array(measures.length > 1 ? sums.length : 0);
  for (const { bucket, entity, sum, mentions } of rows) {
    const place = entity * buckets + bucket - firstBucket;
    sums[place] = (sums[place] ?? 0) + sum;
    if (measures.length > 1) mentioned[place] = (mentioned[place] ?? 0) + mentions;
  }
  return measures.length > 1 ? [sums, mentioned] : [sums];
}

/** The same with how prompts vary; each bucket and entity has one row. */
export function countedSumsOf(
  rows: readonly Row<typeof spreadShape>[],
  plan: TimeSeriesPlan,
): Pick<SeriesFacts, "sums" | "spread"> {
  const sums = sumsOf(rows, plan);
  const buckets = plan.startsMs.length;
  const size = (plan.entities + 1) * buckets;
  const spread = {
    prompts: new Float64Array(buckets),
    numeratorSquares: new Float64Array(size),
    denominatorSquares: new Float64Array(size),
    products: new Float64Array(size),
  };
  for (const { bucket, entity, ...row } of rows) {
    const column = bucket - plan.firstBucket;
    const place = entity * buckets + column;
    if (entity === 0) spread.prompts[column] = row.prompts;
    spread.numeratorSquares[place] = row.numeratorSquares;
    spread.denominatorSquares[place] = row.denominatorSquares;
    spread.products[place] = row.products;
  }
  return { sums, spread };
}

/** A page of sources; rows without a source say that it is empty. */
export function sourcesOf(rows: readonly Row<typeof pageShape>[]): Omit<SourcesFacts, "used"> {
  const [first] = rows;
  const page = rows.flatMap(({ source, citations }) =>
    source === null || citations === null ? [] : [{ source, citations }],
  );
  return { total: first?.total ?? 0, citations: first?.allCitations ?? 0, page };
}

/** What an account's answers cover. */
export function coverageOf(rows: readonly Row<typeof coverageShape>[]): FactsCoverage {
  const [first] = rows;
  return {
    providers: providersOf(new Set(rows.map(({ provider }) => provider))),
    regions: regionsOf(new Set(rows.map(({ region }) => region))),
    answers: rows.reduce((sum, { answers }) => sum + answers, 0),
    firstMs: first?.firstMs ?? null,
    lastMs: first?.lastMs ?? null,
    used: { name: "daily", refused: [] },
  };
}
