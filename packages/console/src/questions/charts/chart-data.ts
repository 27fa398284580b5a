import type { InsightsSeriesResponse, Interval, MetricName } from "@sightline/client";
import { countOf, countText, dateText, rangeText } from "../../data/format.ts";
import { metricTexts } from "../../data/names.ts";
import { bucketRange, datesOfRange, dayMs, type Range } from "../../data/period.ts";
import type { Dates } from "../../data/view.ts";

/** A bucket of a line. */
export interface ChartPoint {
  /** Its start, in ms since 1970. */
  readonly startMs: number;
  /** The part inside the range and up to the last answer; of nothing beyond that answer. */
  readonly covered: Range;
  /** Days of the part, and of the whole bucket. Fewer: the bucket is partial. */
  readonly coveredDays: number;
  readonly days: number;
  /** Null: nothing was measured, and the line has a gap. */
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly numerator: number;
  readonly denominator: number;
  /** No answer of the bucket passes the filters. */
  readonly isEmpty: boolean;
}

/** A line of a chart. */
export interface ChartSeries {
  readonly id: string;
  readonly name: string;
  readonly isBrand: boolean;
  /** A CSS colour. */
  readonly color: string;
  readonly points: readonly ChartPoint[];
}

/** How many colours competitors have before they repeat. */
const colorsTotal = 8;

/** The colour of the entity at a place of the reply: the brand's, then one for each competitor. */
export function colorAt(index: number): string {
  return index === 0 ? "var(--accent)" : `var(--series-${((index - 1) % colorsTotal) + 1})`;
}

/** Whether a bucket has a value of a part of its days, which says nothing of a trend. */
export function isPartial({ value, coveredDays, days }: ChartPoint): boolean {
  return value !== null && coveredDays < days;
}

/** The days that a partial bucket is of; of a whole one what it is called. */
export function bucketText(point: ChartPoint, interval: Interval): string {
  const { startMs, covered, coveredDays, days } = point;
  if (coveredDays > 0 && coveredDays < days) return rangeText(covered);
  if (interval === "monthly") return dateText(startMs, "month");
  return interval === "weekly" ? `Week of ${dateText(startMs)}` : dateText(startMs);
}

/** How much of a partial bucket there is: 2 of 7 days. */
export function partText({ coveredDays, days }: ChartPoint): readonly string[] {
  if (coveredDays === 0 || coveredDays >= days) return [];
  return [`${countText(coveredDays)} of ${countOf(days, "day")}`];
}

/** The ways from and to partial buckets, whose values are of fewer days than their neighbours'. */
export function partialPath(
  points: readonly ChartPoint[],
  { x, y }: { readonly x: (index: number) => number; readonly y: (value: number) => number },
): string {
  return points
    .slice(1)
    .map((point, before) => {
      const last = points[before];
      if (last === undefined || last.value === null || point.value === null) return "";
      if (!isPartial(last) && !isPartial(point)) return "";
      return `M${x(before)} ${y(last.value)} L${x(before + 1)} ${y(point.value)}`;
    })
    .join("");
}

/**
 * The lines of a reply: the brand first. Buckets that begin after `nowMs` have no points: of a
 * month that has not ended, the days to come are no gap.
 */
export function chartSeries(
  reply: InsightsSeriesResponse,
  nowMs = Date.now(),
): readonly ChartSeries[] {
  const { series } = reply;
  const within = withinOf(reply);
  const coveredBy = (timestamp: string, covered: number): Range => {
    const { fromMs } = bucketRange(Date.parse(timestamp), reply.interval, within);
    return { fromMs, toMs: fromMs + covered * dayMs };
  };
  return series.map(({ id, name, data }, index) => ({
    id,
    name,
    isBrand: index === 0,
    color: colorAt(index),
    points: data
      .filter(({ timestamp }) => Date.parse(timestamp) <= nowMs)
      .map(({ timestamp, interval, empty, covered, days, ...counts }) => ({
        startMs: Date.parse(timestamp),
        ...counts,
        isEmpty: empty,
        covered: coveredBy(timestamp, covered),
        coveredDays: covered,
        days,
        low: interval?.low ?? null,
        high: interval?.high ?? null,
      })),
  }));
}

/** The days of a bucket inside the range of its reply, which may be one before the view's. */
export function datesOf(reply: InsightsSeriesResponse, bucket: number): Dates {
  const startMs = Date.parse(reply.series[0]?.data[bucket]?.timestamp ?? "");
  return datesOfRange(bucketRange(startMs, reply.interval, withinOf(reply)));
}

function withinOf({ timeRange: { from, to } }: InsightsSeriesResponse): Range {
  return { fromMs: Date.parse(from), toMs: Date.parse(to) };
}

/** Lines in addition to the brand's unless some are isolated: more cannot be told apart. */
const competitorsMax = 8;

/**
 * The lines that a chart draws: the brand, and those isolated, or those with the most hits.
 * Competitors come first, so that the brand is drawn over them.
 */
export function drawnSeries(
  all: readonly ChartSeries[],
  only: readonly string[],
): readonly ChartSeries[] {
  const counted = all.map((each) => ({ id: each.id, hits: hitsOf(each) }));
  const series = new Map(all.map((each) => [each.id, each]));
  const lines = [...lineColors(counted, only)].flatMap(([id, color]) => {
    const line = series.get(id);
    return line === undefined ? [] : [{ ...line, color }];
  });
  return [...lines.slice(1), ...lines.slice(0, 1)];
}

/** An entity that a chart may draw, and how many answers count for it. */
export interface Countable {
  readonly id: string;
  readonly hits: number;
}

/**
 * The colours of the lines that a chart draws, by id: the brand's, then those isolated, or those
 * with the most hits. A competitor has the colour of its place in the reply, unless a line before
 * has that place's: then the next colour that no line has, so that no two lines are alike.
 */
export function lineColors(
  [brand, ...competitors]: readonly Countable[],
  only: readonly string[],
): ReadonlyMap<string, string> {
  if (brand === undefined) return new Map();
  const placed = competitors.map(({ id, hits }, index) => ({ id, hits, place: index + 1 }));
  const isolated = placed.filter(({ id }) => only.includes(id));
  // An entity that is no longer tracked isolates nothing.
  const isChosen = isolated.length > 0 || only.includes(brand.id);
  const most = placed.toSorted((a, b) => b.hits - a.hits).slice(0, competitorsMax);
  const drawn = isChosen ? isolated : most;
  // The first of those with one colour keeps it; the others take what nobody drawn has.
  const owners = new Map(drawn.toReversed().map(({ id, place }) => [colorAt(place), id]));
  const used = new Set(owners.keys());
  const colors = new Map([[brand.id, colorAt(0)]]);
  for (const { id, place } of drawn) {
    const next = Array.from({ length: colorsTotal }, (_, further) => colorAt(place + further));
    const isOwn = owners.get(colorAt(place)) === id;
    const color = isOwn ? undefined : next.find((each) => !used.has(each));
    colors.set(id, color ?? colorAt(place));
    used.add(color ?? colorAt(place));
  }
  return colors;
}

/** What stands for an entity without a line: no colour of another's. */
export const undrawnColor = "var(--line-strong)";

/** An entity of a summary. */
type Counted = { readonly id: string } & Readonly<
  Record<
    (typeof metricTexts)[MetricName]["field"],
    { readonly numerator: number; readonly denominator: number }
  >
>;

/** How many answers count for each entity of a summary: of a rank those that mention it. */
export function countablesOf(
  entities: readonly Counted[],
  metric: MetricName,
): readonly Countable[] {
  const { field } = metricTexts[metric];
  return entities.map(({ id, [field]: { numerator, denominator } }) => {
    return { id, hits: metric === "rank" ? denominator : numerator };
  });
}

/** Of a rate its answers; of a rank the answers that mention it. */
function hitsOf({ points }: ChartSeries): number {
  return points.reduce((sum, { value, numerator, denominator }) => {
    return sum + (value !== null && value >= 1 ? denominator : numerator);
  }, 0);
}

/** Buckets from `first` to `last`, both inside, without any answer. */
export interface Gap {
  readonly first: number;
  readonly last: number;
}

/** The runs of empty buckets of a line. */
export function gapsOf(points: readonly ChartPoint[]): readonly Gap[] {
  const gaps: Gap[] = [];
  points.forEach(({ isEmpty }, index) => {
    if (!isEmpty) return;
    const before = gaps.at(-1);
    if (before?.last === index - 1) gaps[gaps.length - 1] = { first: before.first, last: index };
    else gaps.push({ first: index, last: index });
  });
  return gaps;
}

/** A line over the same places as another period's: the n-th bucket for the n-th. */
export function aligned(
  before: readonly ChartPoint[],
  now: readonly ChartPoint[],
): readonly ChartPoint[] {
  return now.flatMap(({ startMs }, index) => {
    const point = before[index];
    return point === undefined ? [] : [{ ...point, startMs }];
  });
}

/** The entities of a bucket: the highest value first, or the best rank; null at the end. */
export function ordered(
  series: readonly ChartSeries[],
  index: number,
  unit: "fraction" | "place",
): readonly ChartSeries[] {
  const last = unit === "place" ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  const measureOf = ({ points }: ChartSeries): number => points[index]?.value ?? last;
  const sign = unit === "place" ? 1 : -1;
  // Two without a value are equal: their difference would be NaN.
  return [...series].sort((a, b) => {
    return measureOf(a) === measureOf(b) ? 0 : sign * (measureOf(a) < measureOf(b) ? -1 : 1);
  });
}
