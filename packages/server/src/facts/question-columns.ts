import type { Interval } from "@sightline/contract";
import type { anyMeasures } from "./measures.ts";
import type { Measure } from "./plan/metric-definitions.ts";
import type { AppearanceMeasure } from "./plan/places-plan.ts";
import type { FilterColumn } from "./plan/rollups.ts";

// Every engine has these columns, under the same names.

/** The column of each measure. */
export const measureColumns: Readonly<Record<Measure, string>> = {
  mentioned: "mentioned",
  cited: "cited",
  visible: "visible",
  rank: "rank",
};

/** The column of each interval's buckets. */
export const bucketColumns: Readonly<Record<Interval, string>> = {
  daily: "day",
  weekly: "week",
  monthly: "month",
};

/** The column of what answers are grouped by; "0" without a grouping. */
export function groupColumn(groupBy: FilterColumn | null): string {
  return groupBy === null ? "0" : groupColumns[groupBy];
}

const groupColumns: Readonly<Record<FilterColumn, string>> = {
  provider: "provider",
  topic: "topic",
  prompt: "prompt",
  region: "region",
  branded: "branded",
};

/** The column that says whether an answer mentions, cites or shows any entity. */
export const anyEntityColumns: Readonly<Record<AppearanceMeasure, (typeof anyMeasures)[number]>> = {
  mentioned: "any_mentioned",
  cited: "any_cited",
  visible: "any_visible",
};
