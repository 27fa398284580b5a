import type { InsightsSummaryResponse, MetricName } from "@sightline/client";
import { changeText, countOf, countText, valueText } from "../../data/format.ts";
import { metricTexts } from "../../data/names.ts";
import type { Dates } from "../../data/view.ts";
import {
  type Change,
  type ComparedPrompts,
  decimalsOf,
  likeForLike,
  partLines,
  partPlaces,
} from "./change-text.ts";
import type { SideText } from "./contributions.ts";

/** A step from the value before to the value now. */
export interface WaterfallStep {
  readonly key: string;
  /** side: the value of a period. part: what it changes by on the way. */
  readonly kind: "side" | "part";
  readonly title: string;
  /** In words: what it comes from, or of which days it is. */
  readonly about: string;
  readonly text: string;
  /** Where it begins and ends, as fractions of the scale; the same of a side. */
  readonly from: number;
  readonly to: number;
}

/** A change as steps that add up, in figures as they stand. */
export interface Waterfall {
  readonly steps: readonly WaterfallStep[];
  /** The ends of the scale, which does not begin at 0: changes are small beside their values. */
  readonly scale: string;
}

/** What a waterfall is of. */
interface WaterfallOf {
  readonly metric: MetricName;
  /** The value of this period. */
  readonly now: number | null;
  readonly change: Change;
  readonly prompts: ComparedPrompts | null;
  /** What the two periods are called. */
  readonly days: { readonly before: string; readonly now: string };
}

/** Left free at each end, as a fraction of what the steps span. */
const padding = 0.12;
/** The least that the scale spans, in the unit of the reply. */
const spanMin = { rate: 0.01, rank: 0.1 } as const;

/**
 * The steps from the value before to the value now; null: a period has no value. Figures are those
 * of the table of parts, so the value before is what they leave of the rounded value now.
 */
export function waterfallOf({ metric, now, change, prompts, days }: WaterfallOf): Waterfall | null {
  const { value, parts } = change;
  if (now === null || value === null) return null;
  const places = partPlaces(metric);
  const unit = 10 ** decimalsOf(metric);
  const shownNow = Math.round(now * unit);
  const shownBefore = (shownNow - Math.round(value * unit)) / unit;
  const lines = partLines(metric, change, prompts)?.slice(0, -1) ?? [
    {
      key: "value",
      title: "Change of all answers",
      about: "no prompt has answers in both periods",
      text: changeText(metric, value, places),
    },
  ];
  const amounts =
    parts === null
      ? [value]
      : [parts.likeForLike, parts.mix, parts.promptsAdded, parts.promptsRemoved];
  const ends = [now - value];
  for (const amount of amounts) ends.push((ends.at(-1) ?? 0) + amount);
  const [low, high] = [Math.min(...ends, now), Math.max(...ends, now)];
  const span = Math.max(high - low, metric === "rank" ? spanMin.rank : spanMin.rate);
  const start = (low + high - span) / 2 - span * padding;
  const placeOf = (amount: number) => (amount - start) / (span * (1 + 2 * padding));
  const side = (key: "before" | "now", title: string, at: number, shown: number) => ({
    key,
    kind: "side" as const,
    title,
    about: days[key],
    text: valueText(metric, shown, places),
    from: placeOf(at),
    to: placeOf(at),
  });
  return {
    steps: [
      side("before", "Before", now - value, shownBefore),
      ...lines.map(({ key, title, about, text }, at) => ({
        key,
        kind: "part" as const,
        title,
        about,
        text,
        from: placeOf(ends[at] ?? now),
        to: placeOf(ends[at + 1] ?? now),
      })),
      side("now", "Now", now, shownNow / unit),
    ],
    scale: [start, start + span * (1 + 2 * padding)]
      .map((end) => valueText(metric, end))
      .join(" to "),
  };
}

/** A competitor, and how the same value of its own changed. */
export interface CompetitorRow {
  readonly id: string;
  readonly name: string;
  readonly before: SideText;
  readonly after: SideText;
  readonly change: Change;
  readonly effectivePrompts: number;
}

interface CompetitorsOf {
  readonly reply: InsightsSummaryResponse;
  readonly metric: MetricName;
  /** The days of the compared period. */
  readonly before: Dates;
}

/**
 * The competitors whose own value changed: first those that moved, then by the size of the change
 * like for like.
 */
export function competitorRows({ reply, metric, before }: CompetitorsOf): readonly CompetitorRow[] {
  const [group] = reply.groups;
  const answersBefore = reply.compare?.answers ?? 0;
  const { field } = metricTexts[metric];
  const rows = (group?.entities.slice(1) ?? []).flatMap((entity): readonly CompetitorRow[] => {
    const { value, denominator, effectivePrompts, change } = entity[field];
    if (change === undefined || change.value === null || value === null) return [];
    const valueBefore = value - change.value;
    // A rank is of the answers that mention the competitor; their share of all is known.
    const { value: share, change: shareChange } = entity.mentions;
    const shareBefore = (share ?? 0) - (shareChange?.value ?? 0);
    const countBefore = metric === "rank" ? shareBefore * answersBefore : answersBefore;
    const evidence = { promptId: null, part: null };
    return [
      {
        id: entity.id,
        name: entity.name,
        before: {
          value: valueText(metric, valueBefore),
          counts: countsOf(metric, valueBefore, Math.round(countBefore)),
          evidence: { ...evidence, dates: before },
        },
        after: {
          value: valueText(metric, value),
          counts: countsOf(metric, value, denominator),
          evidence: { ...evidence, dates: null },
        },
        change,
        effectivePrompts,
      },
    ];
  });
  const size = ({ change }: CompetitorRow) => Math.abs(likeForLike(change) ?? change.value ?? 0);
  const isMoved = ({ change }: CompetitorRow) => Number(change.verdict === "moved");
  return rows.toSorted((a, b) => isMoved(b) - isMoved(a) || size(b) - size(a));
}

/** Of a rate the hits follow from value and answers: both are whole numbers. */
function countsOf(metric: MetricName, value: number, denominator: number): string {
  if (metric === "rank") return countOf(denominator, "mention");
  return `${countText(Math.round(value * denominator))} of ${countText(denominator)}`;
}
