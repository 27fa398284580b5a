import { bucketOf, dayMs } from "./buckets.ts";
import type { Condition, TimeSeriesPlan } from "./plan.ts";

/** What is held of the rollup `daily`: a day's bucket follows from the day. */
export const heldColumns = [
  "day",
  "provider",
  "region",
  "branded",
  "entity",
  "mentioned",
  "cited",
  "visible",
  "rank",
] as const;

/** A column of whole numbers, one a row. */
export type WholeNumbers = Int32Array | Int16Array | Uint16Array | Uint8Array;

/** Rows of the rollup: a row is one place in each column. */
export type HeldRows = Readonly<Record<(typeof heldColumns)[number], WholeNumbers>>;

/** Rows that were read at once, and which of them are of one day: [day, first row, end], … */
export interface HeldSegment {
  readonly rows: HeldRows;
  readonly runs: Int32Array;
}

/** The sums of a time series: entity × buckets + bucket; `entities` counts entity 0. */
export interface SumsShape {
  readonly entities: number;
  readonly buckets: number;
}

/** Finds the rows of each day: rows that were compacted lie day by day. */
export function heldSegment(rows: HeldRows): HeldSegment {
  const { day } = rows;
  const runs: number[] = [];
  let start = 0;
  for (let row = 1; row <= day.length; row++) {
    if (row < day.length && day[row] === day[start]) continue;
    runs.push(day[start] ?? 0, start, row);
    start = row;
  }
  return { rows, runs: Int32Array.from(runs) };
}

/** The sums of each of the plan's measures, of one part of whole days, from the rows held. */
export function heldSums(
  segments: readonly HeldSegment[],
  plan: TimeSeriesPlan,
  { entities, buckets }: SumsShape,
): readonly Float64Array[] {
  const [part] = plan.rows.parts;
  const allowed = plan.rows.conditions.length === 0 ? null : allowedValues(plan.rows.conditions);
  const bucketOfDay = remembered((day) => bucketOf(plan.interval, day * dayMs));
  return plan.measures.map((measure) => {
    const sums = new Float64Array(entities * buckets);
    if (part === undefined) return sums;
    for (const { rows, runs } of segments) {
      const { [measure]: amounts, entity } = rows;
      for (let run = 0; run < runs.length; run += 3) {
        const day = runs[run] ?? 0;
        if (day < part.from || day >= part.to) continue;
        const bucket = bucketOfDay(day) - plan.firstBucket;
        for (let row = runs[run + 1] ?? 0, end = runs[run + 2] ?? 0; row < end; row++) {
          if (allowed !== null && !isAllowed(rows, row, allowed)) continue;
          const place = (entity[row] ?? 0) * buckets + bucket;
          sums[place] = (sums[place] ?? 0) + (amounts[row] ?? 0);
        }
      }
    }
    return sums;
  });
}

/** Rows that no compaction has sorted may have a run each, and a month costs a calendar. */
function remembered(bucketOfDay: (day: number) => number): (day: number) => number {
  const known = new Map<number, number>();
  return (day) => {
    const bucket = known.get(day) ?? bucketOfDay(day);
    known.set(day, bucket);
    return bucket;
  };
}

function isAllowed({ provider, region, branded }: HeldRows, row: number, allowed: AllowedValues) {
  return (
    allowed.provider[provider[row] ?? 0] === 1 &&
    allowed.region[region[row] ?? 0] === 1 &&
    allowed.branded[branded[row] ?? 0] === 1
  );
}

/** 1 at each value that passes: one look, and the same code whatever is filtered. */
type AllowedValues = Readonly<Record<"provider" | "region" | "branded", Uint8Array>>;

/** Larger than any provider's or region's number. */
const valuesMax = 1024;

/** @throws when the rollup does not tell the column apart, or the value is none: our fault. */
function allowedValues(conditions: readonly Condition[]): AllowedValues {
  const all = () => new Uint8Array(valuesMax).fill(1);
  const allowed = { provider: all(), region: all(), branded: all() };
  for (const { column, values } of conditions) {
    if (column === "topic" || column === "prompt") throw new Error(`held rows have no ${column}`);
    allowed[column].fill(0);
    for (const value of values) {
      if (value >= valuesMax) throw new RangeError(`${column} ${value}`);
      allowed[column][value] = 1;
    }
  }
  return allowed;
}
