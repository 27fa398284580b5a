import { type InsightsSeriesResponse, type MetricName, metrics } from "@sightline/contract";
import { dayText } from "./series-table.ts";
import { styled, type Terminal } from "./terminal.ts";
import { fitted } from "./text-width.ts";

type CountedPoint = InsightsSeriesResponse["series"][number]["data"][number];

/** Where a chart has a point of few answers. */
const fewMark = "○";

/** One answer more or less moves a rate of so few by 20 points and more. */
const fewBelow = 5;

/** Where a chart has a point of a part of its bucket. */
const partialMark = "◌";

/** Whether a point has a value, and of few answers. */
function hasFew({ denominator }: CountedPoint): boolean {
  return denominator > 0 && denominator < fewBelow;
}

/** Whether a point counts a part of its week or month: the range or the last answer cuts it. */
function isPartial({ covered, days, empty }: CountedPoint): boolean {
  return !empty && covered < days;
}

/** What a chart has where a point is less than it seems; null: nothing. */
export function markOf(point: CountedPoint): string | null {
  if (hasFew(point)) return fewMark;
  return point.value !== null && isPartial(point) ? partialMark : null;
}

/** Which buckets are partial, in a line; nothing where none is. */
export function partialLines(
  { series }: InsightsSeriesResponse,
  terminal: Terminal,
): readonly string[] {
  // Equal in every series. No more than two: the range or the last answer cuts each.
  const partial = (series[0]?.data ?? []).filter(isPartial).map(({ timestamp, covered, days }) => {
    return `${dayText(timestamp)}: ${daysText(covered)} of ${days} ${days === 1 ? "day" : "days"}`;
  });
  if (partial.length === 0) return [];
  return [styled(terminal, "dim", fitted(`${partialMark} ${partial.join("; ")}`, terminal.width))];
}

/** Up to two places: a range may cut a day at any instant. */
function daysText(days: number): string {
  return String(Math.round(days * 100) / 100);
}

/**
 * How many answers a chart shows: in the whole range, and in the points with the fewest and the
 * most. Of a rank the answers that mention the entity count, so those of each series.
 */
export function countLines(
  metric: MetricName,
  { series }: InsightsSeriesResponse,
  terminal: Terminal,
): readonly string[] {
  const isRate = metrics[metric].unit === "fraction";
  // A rate has the same denominator in every series: all answers of the bucket.
  const points = (isRate ? series.slice(0, 1) : series).flatMap(({ data }) => data);
  const counts = points.map(({ denominator }) => denominator).filter((count) => count > 0);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const least = counts.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const most = counts.reduce((a, b) => Math.max(a, b), 0);
  const range = least < most ? `${grouped(least)} to ${grouped(most)}` : grouped(most);
  const what = isRate ? "answers" : "mentions";
  const lines = [`n = ${grouped(total)} ${what}${total > 0 ? `, ${range} a point` : ""}`];
  if (points.some(hasFew)) {
    lines.push(`${fewMark} fewer than ${fewBelow} ${what}: such points vary widely by chance`);
  }
  return lines.map((line) => styled(terminal, "dim", fitted(line, terminal.width)));
}

function grouped(count: number): string {
  return count.toLocaleString("en-GB");
}
