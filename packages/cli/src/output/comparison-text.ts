import type { InsightsSummaryResponse } from "@sightline/client";
import type { TimeRange } from "../questions/time-range.ts";
import { dayText } from "./series-table.ts";
import type { Cell } from "./table.ts";

type Change = NonNullable<InsightsSummaryResponse["groups"][number]["informative"]["change"]>;

/** The ranges of a reply. */
export interface ComparedRanges {
  readonly timeRange: TimeRange;
  /** Null: nothing was compared. */
  readonly compared: TimeRange | null;
}

/** The ranges of a reply in words. */
export function rangesText({ timeRange, compared }: ComparedRanges): string {
  const against = compared === null ? "" : `, against ${rangeText(compared)}`;
  return `${rangeText(timeRange)}${against} (UTC)`;
}

function rangeText({ from, to }: TimeRange): string {
  return `${dayText(from)} to before ${dayText(to)}`;
}

/** The cells of how sure a change is. */
export function verdictCells(change: Change | undefined): readonly Cell[] {
  return [{ text: probabilityText(change?.adjustedP ?? null) }, { text: change?.verdict ?? "–" }];
}

/** A p is never 0, which `0.000` would say. */
function probabilityText(p: number | null): string {
  if (p === null) return "–";
  return p < 0.001 ? "<0.001" : p.toFixed(3);
}

/** What a reader must know of a comparison in addition to its values, a line each. */
export function comparisonNotes({
  tests,
  compare,
}: Pick<InsightsSummaryResponse, "tests" | "compare">): readonly string[] {
  if (compare === undefined) return [];
  const { discontinuous } = compare;
  const notes = [`p is adjusted for ${tests} tests`];
  if (discontinuous.length === 0) return notes;
  return [
    ...notes,
    `discontinuous: models or surfaces of ${discontinuous.join(", ")} differ between the ranges,`,
    "so a change there may be the provider's",
  ];
}
