import type { InsightsSummaryResponse, MetricName } from "@sightline/client";
import { changeBoundsText, changeText, countOf, countText } from "../../data/format.ts";

/** A value of a summary, with its change. */
type Value = InsightsSummaryResponse["groups"][number]["informative"];
/** How a value differs from that of the compared period. */
export type Change = NonNullable<Value["change"]>;
/** What is tested: a change, or that of the providers that stayed. */
export type TestedChange = Omit<Change, "continuing">;
/** What a change is of; shares of sources are written as those of voice. */
export type ChangedMetric = MetricName | "shareOfVoice";

/** Places of parts and contributions, one more than of the change: most are small. */
export const partPlaces = (metric: ChangedMetric): number => (metric === "rank" ? 3 : 2);

const verdictWords: Readonly<Record<string, string>> = {
  moved: "clear change",
  "within-noise": "no clear change",
  insufficient: "too few prompts",
  discontinuous: "other models answered",
};

/** What a change comes to, in two or three words. */
export function verdictWord({ value, parts, verdict }: TestedChange): string {
  if (value === null) return "nothing to compare";
  if (parts === null) return "no common prompts";
  return verdict === null ? "under 7 days" : wordOf(verdict);
}

/** A verdict in two or three words. */
export function wordOf(verdict: string): string {
  return verdictWords[verdict] ?? verdict;
}

/** What a change comes to, and why, in a sentence or two. */
export function verdictText(change: TestedChange): string {
  const { value, parts, verdict } = change;
  if (value === null) return "One of the two periods has no value.";
  if (parts === null) {
    return "No prompt has answers in both periods: nothing can be compared like for like.";
  }
  if (verdict === null) return "A period is shorter than 7 days: there is no verdict.";
  switch (verdict) {
    case "moved":
      return `Clear change: chance seldom shows as much${pText(change)}.`;
    case "within-noise":
      return `No clear change: chance shows as much, or it is too small to count${pText(change)}.`;
    case "insufficient":
      return "Too few prompts: fewer than six effective prompts have answers in both periods.";
    case "discontinuous":
      return "Other models answered: they alone can move the value so far.";
    default:
      return `The service says: ${verdict}.`;
  }
}

function pText({ adjustedP }: TestedChange): string {
  if (adjustedP === null) return "";
  return ` (adjusted p ${adjustedP < 0.001 ? "< 0.001" : adjustedP.toFixed(3)})`;
}

/** What a change is shown as: its like-for-like part. Null: there is none. */
export function likeForLike({ parts }: TestedChange): number | null {
  return parts?.likeForLike ?? null;
}

/**
 * What stands next to a change, part by part: its verdict, then its interval. Where other models
 * answered, that of the providers that stayed as they were.
 */
export function verdictLine(metric: ChangedMetric, change: Change): readonly string[] {
  const { interval, verdict, continuing = null } = change;
  const word = verdictWord(change);
  if (verdict !== "discontinuous") {
    return interval === null ? [word] : [word, changeBoundsText(metric, interval)];
  }
  const value = continuing === null ? null : likeForLike(continuing);
  if (continuing === null || value === null) return [word, "no unchanged provider"];
  const text = changeText(metric, value);
  return [word, `unchanged providers ${text}`, verdictWord(continuing)];
}

/** A line of the table that adds up to a change. */
export interface PartLine {
  readonly key: string;
  readonly title: string;
  /** In words: what it comes from. */
  readonly about: string;
  readonly text: string;
}

/** How many prompts have answers in the two periods. */
export interface ComparedPrompts {
  readonly before: number;
  readonly after: number;
}

/** The parts of a change and the whole, in figures that add up as they stand. Null: no parts. */
export function partLines(
  metric: ChangedMetric,
  { value, parts, effectivePrompts }: TestedChange,
  prompts: ComparedPrompts | null,
): readonly PartLine[] | null {
  if (value === null || parts === null) return null;
  const { mix, promptsAdded, promptsRemoved } = parts;
  const places = partPlaces(metric);
  const figures = addingUp(
    [parts.likeForLike, mix, promptsAdded, promptsRemoved],
    value,
    decimalsOf(metric),
  );
  const lines = [
    ["likeForLike", "Like for like", `${countOf(effectivePrompts, "effective prompt")} in both`],
    ["mix", "Mix", "other shares of providers and regions"],
    ["promptsAdded", "Prompts added", "with answers only in this period"],
    ["promptsRemoved", "Prompts removed", "with answers only in the period before"],
  ] as const;
  const whole =
    prompts === null
      ? "as both periods have it"
      : `${countText(prompts.before)} prompts before, ${countText(prompts.after)} now`;
  return [
    ...lines.map(([key, title, about], at) => ({
      key,
      title,
      about,
      text: changeText(metric, figures[at] ?? null, places),
    })),
    { key: "value", title: "Change of all", about: whole, text: changeText(metric, value, places) },
  ];
}

/** Decimals of the unit of a reply that are shown: points are hundredths. */
export const decimalsOf = (metric: ChangedMetric): number =>
  partPlaces(metric) + (metric === "rank" ? 0 : 2);

/**
 * Values rounded so that what is shown adds up to the rounded total: those that rounding moved
 * furthest give way by one unit of the last decimal.
 */
export function addingUp(
  values: readonly number[],
  total: number,
  decimals: number,
): readonly number[] {
  const unit = 10 ** decimals;
  const rounded = values.map((value) => Math.round(value * unit));
  const missing = Math.round(total * unit) - rounded.reduce((sum, each) => sum + each, 0);
  const step = Math.sign(missing);
  const lost = (at: number) => step * ((values[at] ?? 0) * unit - (rounded[at] ?? 0));
  const order = rounded.map((_, at) => at).sort((a, b) => lost(b) - lost(a));
  const givesWay = new Set(order.slice(0, Math.abs(missing)));
  // Adding 0 makes a rounded -0 one without a sign.
  return rounded.map((each, at) => ((givesWay.has(at) ? each + step : each) + 0) / unit);
}
