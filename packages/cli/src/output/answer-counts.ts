import { type InsightsSeriesResponse, type MetricName, metrics } from "@sightline/contract";
import { styled, type Terminal } from "./terminal.ts";
import { fitted } from "./text-width.ts";

type CountedPoint = InsightsSeriesResponse["series"][number]["data"][number];

/** Where a chart has a point of few answers. */
export const fewMark = "○";

/** One answer more or less moves a rate of so few by 20 points and more. */
const fewBelow = 5;

/** Whether a point has a value, and of few answers. */
export function hasFew({ denominator }: CountedPoint): boolean {
  return denominator > 0 && denominator < fewBelow;
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
    lines.push(`${fewMark} fewer than ${fewBelow} ${what}: chance moves such a point far`);
  }
  return lines.map((line) => styled(terminal, "dim", fitted(line, terminal.width)));
}

function grouped(count: number): string {
  return count.toLocaleString("en-GB");
}
