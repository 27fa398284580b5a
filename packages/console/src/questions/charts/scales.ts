import { nice, ticks } from "d3-array";
import type { ChartPoint, ChartSeries } from "./chart-data.ts";

/** Where the lines lie in the chart, in px. */
interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** From buckets and values to px. */
export interface Scales {
  readonly plot: Plot;
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
  readonly yTicks: readonly number[];
  /** Half the distance of two buckets. */
  readonly halfStep: number;
  /** The bucket nearest to a place. */
  readonly indexAt: (px: number) => number;
}

interface ScaleOptions {
  readonly plot: Plot;
  readonly buckets: number;
  readonly unit: "fraction" | "place";
  readonly series: readonly ChartSeries[];
  readonly previous: readonly ChartPoint[];
}

/** A value axis ends at least here: a chart of zeros still has one. */
const least = { fraction: 0.05, place: 2 } as const;
const ticksWanted = 5;

/** Scales of a chart. A rate begins at 0 at the bottom, a rank at 1 at the top. */
export function scalesOf({ plot, buckets, unit, series, previous }: ScaleOptions): Scales {
  const values = [...series.flatMap((each) => each.points), ...previous].map(({ value }) => value);
  // The brand's band belongs to the picture, but one wide bucket must not flatten all lines.
  const bounds = series.find(({ isBrand }) => isBrand)?.points.map(({ high }) => high) ?? [];
  const highest = Math.max(least[unit], ...values.map((each) => each ?? 0));
  const max = Math.min(
    Math.max(highest, ...bounds.map((each) => each ?? 0)),
    highest * (unit === "place" ? 1.25 : 1.5),
  );
  // What is at the bottom, and at the top.
  const [low, high] = unit === "place" ? [max, 1] : nice(0, max, ticksWanted);
  const pad = unit === "place" ? 8 : 0; // a line along rank 1 is not cut by the edge
  const perUnit = (plot.top + pad - plot.bottom) / (high - low);
  const y = (value: number): number => plot.bottom + (value - low) * perUnit;
  const width = plot.right - plot.left;
  const step = buckets > 1 ? width / (buckets - 1) : width;
  const x = (index: number): number => plot.left + (buckets > 1 ? index * step : width / 2);
  return {
    plot,
    x,
    y,
    yTicks: ticks(low, high, ticksWanted).filter((tick) => unit === "fraction" || tick >= 1),
    halfStep: step / 2,
    indexAt: (px) => {
      const index = buckets > 1 ? Math.round((px - plot.left) / step) : 0;
      return Math.max(0, Math.min(buckets - 1, index));
    },
  };
}

/** The least distance of two dates on the axis, in px. */
const dateWidth = 72;

/** The buckets whose date is written below the chart: the first, and evenly up to the last. */
export function dateTicks(buckets: number, { plot }: Pick<Scales, "plot">): readonly number[] {
  const fit = Math.max(1, Math.floor((plot.right - plot.left) / dateWidth));
  const every = Math.max(1, Math.ceil(buckets / fit));
  const ticks: number[] = [];
  for (let index = buckets - 1; index >= 0; index -= every) ticks.unshift(index);
  return ticks.length > 1 ? [0, ...ticks.slice(1)] : ticks;
}
