import { providersOf, regionsOf } from "../codes.ts";
import type { FactsCoverage } from "../coverage.ts";
import type { Chunks } from "./run-statement.ts";
import type { Statement } from "./statements.ts";

/**
 * Rows of (provider, region, its answers, the first and the last instant of all), none when there
 * is no answer. Of the rows it reads one column at most: where a block of them is on the disk, its
 * least and greatest value stand beside it. Nothing is bound, so that it is planned anew each time
 * (see runStatement).
 */
export const coverageStatement: Statement = {
  sql: `with answered as (
      select provider, region, cast(sum(mentioned) as double) as answers
      from daily where entity = 0 group by provider, region
    )
    select provider, region, answers, first, last
    from answered cross join (
      select cast(min(answered_at) as double) as first, cast(max(answered_at) as double) as last
      from appearances
    )
    order by provider, region`,
  values: [],
};

/** Reads the rows of coverageStatement. */
export function readCoverage(chunks: Chunks): FactsCoverage {
  const providerNumbers = new Set<number>();
  const regionNumbers = new Set<number>();
  let answers = 0;
  let firstMs: number | null = null;
  let lastMs: number | null = null;
  for (const chunk of chunks) {
    const number = (column: number, row: number) =>
      chunk.getColumnVector(column).getItem(row) as number;
    for (let row = 0; row < chunk.rowCount; row++) {
      providerNumbers.add(number(0, row));
      regionNumbers.add(number(1, row));
      answers += number(2, row);
      firstMs = number(3, row);
      lastMs = number(4, row);
    }
  }
  return {
    providers: providersOf(providerNumbers),
    regions: regionsOf(regionNumbers),
    answers,
    firstMs,
    lastMs,
    used: { name: "daily", refused: [] },
  };
}
