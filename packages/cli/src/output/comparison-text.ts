import type { InsightsSummaryResponse } from "@sightline/client";
import type { TimeRange } from "../questions/time-range.ts";
import { dayText } from "./series-table.ts";
import type { Cell, Column } from "./table.ts";
import type { Unit } from "./units.ts";

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

/** A verdict in words: of a discontinuous change also that of the providers that stayed. */
export function verdictText(
  change: Change | undefined,
  unit: Pick<Unit, "differenceText">,
): string {
  const verdict = change?.verdict ?? "–";
  if (change?.continuing === undefined) return verdict;
  if (change.continuing === null) return `${verdict}; no provider stayed`;
  const { parts, verdict: other } = change.continuing;
  const difference = unit.differenceText(parts?.likeForLike ?? null);
  return `${verdict}; of the providers that stayed: ${difference}, ${other ?? "–"}`;
}

/** The columns of what is tested of a change, and how sure it is. */
export const testedColumns: readonly Column[] = [
  { heading: "like for like", align: "right" },
  { heading: "interval", align: "right" },
  { heading: "p", align: "right" },
  { heading: "verdict", align: "left" },
];

/** The cells of these columns. */
export function testedCells(change: Change | undefined, unit: Unit): readonly Cell[] {
  return [
    { text: unit.differenceText(change?.parts?.likeForLike ?? null) },
    { text: intervalText(change?.interval ?? null, unit) },
    { text: probabilityText(change?.adjustedP ?? null) },
    { text: verdictText(change, unit) },
  ];
}

/** The columns of the whole change and of its other parts. */
export const partColumns: readonly Column[] = [
  { heading: "change", align: "right" },
  { heading: "mix", align: "right" },
  { heading: "added", align: "right" },
  { heading: "removed", align: "right" },
];

/** The cells of these columns. */
export function partCells(change: Change | undefined, unit: Unit): readonly Cell[] {
  const { mix = null, promptsAdded = null, promptsRemoved = null } = change?.parts ?? {};
  return [change?.value ?? null, mix, promptsAdded, promptsRemoved].map((part) => {
    return { text: unit.differenceText(part) };
  });
}

/** An interval of a difference; null: `–`. */
export function intervalText(interval: Change["interval"], unit: Unit): string {
  if (interval === null) return "–";
  return `${unit.differenceText(interval.low)} to ${unit.differenceText(interval.high)}`;
}

/** A p is never 0, which `0.000` would say. */
export function probabilityText(p: number | null): string {
  if (p === null) return "–";
  return p < 0.001 ? "<0.001" : p.toFixed(3);
}

/** A comparison, and what of it is shown. */
export interface ShownComparison extends Pick<InsightsSummaryResponse, "compare"> {
  /** Null: p is not adjusted. */
  readonly tests: number | null;
  readonly changes: readonly (Change | undefined)[];
  readonly ranges: ComparedRanges;
  /** The parts of each change are shown. */
  readonly parts: boolean;
}

const weekMs = 7 * 86_400_000;

/** What a reader must know of a comparison in addition to its values, a line each. */
export function comparisonNotes(comparison: ShownComparison): readonly string[] {
  const { tests, compare, changes, ranges, parts } = comparison;
  if (compare === undefined) return [];
  const verdicts = changes.map((change) => change?.verdict);
  return [
    "like for like: of the prompts with answers in both ranges, without other shares of providers",
    parts
      ? "and regions; change = like for like + mix + prompts added + prompts removed"
      : "and regions; the whole change and its parts: --parts",
    "interval: 95 %, of the like-for-like change",
    ...(tests === null ? [] : [`p is adjusted for ${tests} tests`]),
    ...(isShort(ranges) ? ["no verdict: a range is shorter than 7 days"] : []),
    ...(verdicts.includes("insufficient")
      ? ["insufficient: no value, or fewer than 6 effective prompts with answers in both ranges"]
      : []),
    ...(changes.some((change) => change?.flags.includes("fewDays"))
      ? ["fewer than 5 days with answers in a range: changes are tested by prompts alone"]
      : []),
    ...discontinuousLines(compare.discontinuous),
  ];
}

function discontinuousLines(providers: readonly string[]): readonly string[] {
  if (providers.length === 0) return [];
  return [
    `models or surfaces of ${providers.join(", ")} differ between the ranges; discontinuous: they`,
    "alone can move a rate as far as the threshold",
  ];
}

function isShort({ timeRange, compared }: ComparedRanges): boolean {
  return [timeRange, compared ?? timeRange].some(({ from, to }) => {
    return Date.parse(to) - Date.parse(from) < weekMs;
  });
}
