import type { Grouping } from "@sightline/contract";
import { dayOf } from "./buckets.ts";
import type { Condition, SourcesPlan } from "./plan.ts";
import type { FilterColumn } from "./rollups.ts";

/**
 * How the citations of each source are counted. `rows`: the engine gives the source of each
 * citation, and they are counted here; it pays for the rows. `groups`: the engine counts; it pays
 * for every source that there is, and for taking the counts apart.
 */
export type Counting = "rows" | "groups";

/**
 * What is known of an account's citations. It may be a little old: a choice made with it is then
 * slower, and as right.
 */
export interface CitationStatistics {
  /** Citations of each day that has any. */
  readonly byDay: ReadonlyMap<number, number>;
  /** How many different sources there are. */
  readonly sources: Readonly<Record<Grouping, number>>;
  /** How many values each column has. */
  readonly values: Readonly<Record<FilterColumn, number>>;
}

/** Counting one source in the engine's array costs about as much as so many rows. */
const rowsPerSource = 8;
/** Rows that are counted in one turn of the event loop: about a millisecond. */
const rowsMax = 250_000;
/** Rows that there may be at the worst, when every filter lets all through: 16 MB of numbers. */
const rowsWorst = 4_000_000;

/** How a plan's citations are best counted. */
export function chooseCounting(plan: SourcesPlan, statistics: CitationStatistics): Counting {
  const { conditions, parts } = plan.rows;
  const worst = parts.reduce((sum, part) => sum + citationsOf(part, statistics), 0);
  const expected = conditions.reduce(
    (rows, condition) => rows * shareOf(condition, statistics),
    worst,
  );
  const limit = Math.min(rowsMax, rowsPerSource * statistics.sources[plan.groupBy]);
  return worst <= rowsWorst && expected <= limit ? "rows" : "groups";
}

/** Every citation of the days that a part meets. */
function citationsOf(
  { by, from, to }: SourcesPlan["rows"]["parts"][number],
  { byDay }: CitationStatistics,
): number {
  const [first, end] = by === "day" ? [from, to] : [dayOf(from), dayOf(to - 1) + 1];
  let sum = 0;
  for (const [day, citations] of byDay) if (day >= first && day < end) sum += citations;
  return sum;
}

/** As if each value of a column had as many rows. */
function shareOf({ column, values }: Condition, statistics: CitationStatistics): number {
  return Math.min(1, values.length / Math.max(1, statistics.values[column]));
}
