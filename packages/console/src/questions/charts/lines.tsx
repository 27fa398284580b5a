import { type ChartPoint, type ChartSeries, isPartial, partialPath } from "./chart-data.ts";
import { leaderPoints, placeLabels, shortName } from "./end-labels.ts";
import css from "./line-chart.module.css";
import { bandPath, linePath } from "./paths.ts";
import type { Scales } from "./scales.ts";

interface LinesProps {
  readonly series: readonly ChartSeries[];
  readonly previous: readonly ChartPoint[];
  readonly scales: Scales;
  /** Only points are drawn. */
  readonly withoutLine: boolean;
}

/** Competitors thin, the period before dashed, the brand thick over its band. */
export function Lines({ series, previous, scales, withoutLine }: LinesProps) {
  const { x, y } = scales;
  const path = (points: readonly ChartPoint[]) =>
    linePath(points.map(({ value }, index) => (value === null ? null : [x(index), y(value)])));
  const band = (points: readonly ChartPoint[]) =>
    bandPath(
      points.map(({ low, high }, index) =>
        low === null || high === null
          ? null
          : [x(index), within(scales, low), within(scales, high)],
      ),
    );
  const whole = (points: readonly ChartPoint[]) =>
    points.map((point) => (isPartial(point) ? { ...point, value: null } : point));
  const brand = series.at(-1);
  return (
    <g fill="none" strokeLinejoin="round" strokeLinecap="round">
      {brand === undefined ? null : (
        <path d={band(brand.points)} fill={brand.color} fillOpacity="0.13" data-band />
      )}
      {series.map((each) => (
        <g
          key={each.id}
          stroke={each.color}
          strokeWidth={each.isBrand ? 3 : 1.5}
          className={each.isBrand || series.length <= 2 ? undefined : css["quiet"]}
        >
          {each.isBrand && previous.length > 0 ? (
            <Previous points={previous} scales={scales} d={withoutLine ? null : path(previous)} />
          ) : null}
          <path d={withoutLine ? "" : path(whole(each.points))} data-line={each.id} />
          {withoutLine ? null : (
            <path
              d={partialPath(each.points, scales)}
              strokeDasharray="5 4"
              data-partial={each.id}
            />
          )}
          {each.points.map((point, index) =>
            point.value !== null &&
            (withoutLine || isPartial(point) || isAlone(each.points, index)) ? (
              <circle
                key={point.startMs}
                cx={x(index)}
                cy={y(point.value ?? 0)}
                r={each.isBrand ? 3 : 2}
                fill={isPartial(point) ? "var(--panel)" : each.color}
                stroke={isPartial(point) ? each.color : "none"}
                strokeWidth="1.5"
              />
            ) : null,
          )}
        </g>
      ))}
    </g>
  );
}

interface PreviousProps {
  readonly points: readonly ChartPoint[];
  readonly scales: Scales;
  /** Null: its points alone. */
  readonly d: string | null;
}

/** The period before: dotted, or rings where lines would show chance. */
function Previous({ points, scales: { x, y }, d }: PreviousProps) {
  if (d !== null) {
    return <path d={d} strokeWidth="1.5" strokeDasharray="2 5" opacity="0.9" data-previous />;
  }
  return (
    <g strokeWidth="1" opacity="0.7" data-previous>
      {points.map(({ startMs, value }, index) =>
        value === null ? null : <circle key={startMs} cx={x(index)} cy={y(value)} r="2.5" />,
      )}
    </g>
  );
}

/** A band that leaves the picture is cut at its edge. */
function within({ y, plot }: Scales, value: number): number {
  return Math.max(plot.top, Math.min(plot.bottom, y(value)));
}

/** Whether a value stands between gaps, where a line would not show it. */
function isAlone(points: readonly ChartPoint[], index: number): boolean {
  const has = (at: number): boolean => (points[at]?.value ?? null) !== null;
  return has(index) && !has(index - 1) && !has(index + 1);
}

const labelGap = 16;

interface EndLabelsProps extends Omit<LinesProps, "previous" | "withoutLine"> {
  /** Px from the plot to the edge of the chart. */
  readonly margin: number;
}

const labelStart = 18;
/** The size of small text, as in tokens.css. */
const labelRem = 0.78125;
let context: CanvasRenderingContext2D | null = null;

/** How wide labels are in the page's font: letters differ, and bold ones are wider. */
function labelWidths(): (text: string, isBold: boolean) => number {
  context ??= document.createElement("canvas").getContext("2d");
  const drawing = context;
  if (drawing === null) return () => 0;
  const { fontFamily } = getComputedStyle(document.body);
  const px = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) * labelRem;
  return (text, isBold) => {
    drawing.font = `${isBold ? 700 : 500} ${px}px ${fontFamily}`;
    return drawing.measureText(text).width;
  };
}

/** Names at the ends of the lines, apart from each other. */
export function EndLabels({ series, scales, margin }: EndLabelsProps) {
  const room = margin - labelStart;
  const widthOf = labelWidths();
  const { plot, x, y } = scales;
  const ends = series.flatMap(({ id, points }) => {
    const index = points.findLastIndex(({ value }) => value !== null);
    const value = points[index]?.value ?? null;
    return value === null ? [] : [{ id, index, wantedY: y(value) }];
  });
  const places = placeLabels(ends, { top: plot.top, bottom: plot.bottom, gap: labelGap });
  return (
    <g>
      {series.map(({ id, name, color, isBrand }) => {
        const end = ends.find((each) => each.id === id);
        const place = places.get(id);
        if (end === undefined || place === undefined) return null;
        return (
          <g key={id}>
            <path
              d={`M${leaderPoints({
                from: [x(end.index) + 5, end.wantedY],
                to: [plot.right + 14, place],
                bendX: plot.right + 5,
              }).join("L")}`}
              fill="none"
              stroke={color}
              data-leader={id}
              strokeWidth="1"
              opacity="0.55"
            />
            <text
              x={plot.right + labelStart}
              y={place}
              dy="0.32em"
              fill={color}
              fontWeight={isBrand ? 700 : 500}
            >
              {shortName(name, (text) => widthOf(text, isBrand) <= room)}
            </text>
          </g>
        );
      })}
    </g>
  );
}
