import type { Interval } from "@sightline/client";
import { dateText } from "../../data/format.ts";
import type { ChartPoint } from "./chart-data.ts";
import { dateTicks, type Scales } from "./scales.ts";

interface AxesProps {
  readonly scales: Scales;
  readonly interval: Interval;
  readonly points: readonly ChartPoint[];
  readonly format: (value: number) => string;
}

/** Quiet lines with values at the left; dates below, the first of which is the period's. */
export function Axes({ scales, interval, points, format }: AxesProps) {
  const { plot, x, y, yTicks } = scales;
  return (
    <g fill="var(--ink-quiet)">
      {yTicks.map((tick, index) => (
        <g key={tick}>
          <line
            x1={plot.left}
            x2={plot.right}
            y1={y(tick)}
            y2={y(tick)}
            stroke={index === 0 ? "var(--line-strong)" : "var(--line)"}
          />
          <text x={plot.left - 8} y={y(tick)} dy="0.32em" textAnchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      {dateTicks(points.length, scales).map((index) => (
        <text key={index} x={x(index)} y={plot.bottom + 20} textAnchor="middle">
          {dateText(points[index]?.covered.fromMs ?? 0, interval === "monthly" ? "month" : "day")}
        </text>
      ))}
    </g>
  );
}
