import type { Interval } from "@sightline/client";
import {
  type FocusEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { dateText } from "../../data/format.ts";
import { ChartCard, pointText } from "./chart-card.tsx";
import { aligned, type ChartPoint, type ChartSeries, gapsOf } from "./chart-data.ts";
import type { ChartMark } from "./chart-marks.ts";
import css from "./line-chart.module.css";
import { EndLabels, Lines } from "./lines.tsx";
import { dateTicks, type Scales, scalesOf } from "./scales.ts";

/** What a chart shows. */
interface LineChartProps {
  /** What the picture shows, in a sentence. */
  readonly label: string;
  /** In the order in which they are drawn: the brand last, over the others. */
  readonly series: readonly ChartSeries[];
  /** The brand in the period before, in the same buckets; empty: there is none. */
  readonly previous: readonly ChartPoint[];
  readonly unit: "fraction" | "place";
  readonly interval: Interval;
  /** Values rest on so little that only points are drawn: a line would show chance. */
  readonly withoutLine: boolean;
  /** Why a bucket has no answers. */
  readonly gapReason: string;
  readonly format: (value: number | null) => string;
  /** A value at the axis. */
  readonly formatTick: (value: number) => string;
  readonly onOpen: (entityId: string, bucket: number) => void;
  readonly height: number;
  /** What else changed; the card and screen readers say it in words. */
  readonly marks?: readonly ChartMark[];
  /** What the card of a bucket offers once it stays, such as a note; null: nothing. */
  readonly actions?: ((bucket: number) => ReactNode) | null;
}

/** Below this width names stand in the leaderboard alone. */
const labelledFrom = 520;

/** Lines over time, the brand's with its interval, and a card of all values at the crosshair. */
export function LineChart(props: LineChartProps) {
  const { label, series, unit, interval, height, onOpen, actions = null } = props;
  const [frame, width] = useWidth<HTMLDivElement>();
  const { at, isHeld, ...held } = useHeld();
  const id = useId();
  const brand = series.at(-1);
  const buckets = brand?.points.length ?? 0;
  const isLabelled = width >= labelledFrom;
  const previous = aligned(props.previous, brand?.points ?? []);
  const margin = isLabelled ? 132 : 12;
  const plot = { left: 44, right: width - margin, top: 12, bottom: height - 28 };
  const scales = scalesOf({ plot, buckets, unit, series, previous });
  const index = at === null ? null : Math.min(at, buckets - 1);
  const last = Math.max(0, buckets - 1);
  return (
    <div ref={frame} className={css["chart"]} style={{ height }}>
      {width === 0 || brand === undefined ? null : (
        <>
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the range below takes the keys */}
          <svg
            role="img"
            aria-label={label}
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
            data-chart
            onPointerDown={held.onPointerDown}
            onPointerMove={(event) => held.pointAt(scales.indexAt(pointOf(event).x))}
            onPointerLeave={({ pointerType }) => {
              // A finger that is lifted leaves too, and what it tapped is still to be read.
              if (pointerType !== "touch") held.pointAt(null);
            }}
            onClick={(event) => {
              const { x, y } = pointOf(event);
              const bucket = scales.indexAt(x);
              if (held.takesClick(bucket, actions !== null && y > plot.bottom - markPx)) return;
              const nearest = nearestSeries(series, bucket, { scales, y });
              if (nearest !== null) onOpen(nearest.id, bucket);
            }}
          >
            <Axes {...{ scales, interval, points: brand.points }} format={props.formatTick} />
            <Gaps id={id} points={brand.points} scales={scales} reason={props.gapReason} />
            <Marks marks={props.marks ?? []} scales={scales} />
            <Lines {...{ series, previous, scales }} withoutLine={props.withoutLine} />
            {isLabelled ? <EndLabels {...{ series, scales, margin }} /> : null}
            {index === null ? null : <Crosshair {...{ series, scales, index }} />}
          </svg>
          <input
            className={css["range"]}
            type="range"
            min={0}
            max={last}
            value={index ?? last}
            aria-label={
              `${label} Arrow keys move along it, Enter opens the answers.` +
              (actions === null ? "" : " Tab leads to its notes.")
            }
            aria-valuetext={pointText({ ...props, index: index ?? last })}
            onChange={({ target }) => held.hold(Number(target.value))}
            onFocus={() => held.hold(index ?? last)}
            onBlur={held.onBlur}
            onKeyDown={({ key }) => {
              if (key === "Enter") onOpen(brand.id, index ?? last);
            }}
          />
          {index === null ? null : (
            <ChartCard
              {...props}
              {...{ previous, scales, index }}
              held={isHeld && actions !== null ? actions(index) : null}
              onBlur={held.onBlur}
            />
          )}
        </>
      )}
    </div>
  );
}

/** Marks reach so far above the axis. */
const markPx = 6;

/** Whether something belongs to what a held card is used with. */
const isOfCard = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("[data-card], dialog") !== null;

/**
 * The bucket that is looked at. A pointer moves it; a tap, a click at the axis or the keyboard hold
 * it, and its card stays to be used. A second tap on the bucket opens its answers; a tap or a click
 * elsewhere and Escape put the card away.
 */
function useHeld() {
  const [at, setAt] = useState<number | null>(null);
  const [isHeld, setHeld] = useState(false);
  const isTouch = useRef(false);
  const tapped = useRef<number | null>(null);
  const move = useCallback((bucket: number | null, stays: boolean) => {
    if (!stays) tapped.current = null;
    setAt(bucket);
    setHeld(stays);
  }, []);
  useEffect(() => {
    if (!isHeld) return;
    const putAway = ({ target }: globalThis.PointerEvent) => {
      if (isOfCard(target)) return;
      if (target instanceof Element && target.closest("svg[data-chart]") !== null) return;
      move(null, false);
    };
    const onKey = ({ key, target }: KeyboardEvent) => {
      const isInDialog = target instanceof Element && target.closest("dialog") !== null;
      if (key === "Escape" && !isInDialog) move(null, false);
    };
    document.addEventListener("pointerdown", putAway);
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("pointerdown", putAway);
      document.removeEventListener("keydown", onKey);
    };
  }, [isHeld, move]);
  return {
    at,
    isHeld,
    hold: (bucket: number) => move(bucket, true),
    pointAt: (bucket: number | null) => {
      if (!isHeld) setAt(bucket);
    },
    onPointerDown: ({ pointerType }: PointerEvent<SVGSVGElement>) => {
      isTouch.current = pointerType === "touch";
    },
    /** Whether a click shows or puts away the card, and opens no answers. */
    takesClick: (bucket: number, isAtAxis: boolean): boolean => {
      const isSecond = tapped.current === bucket;
      move(bucket, isAtAxis || isTouch.current);
      tapped.current = isTouch.current ? bucket : null;
      return isAtAxis || (isTouch.current ? !isSecond : isHeld);
    },
    onBlur: ({ relatedTarget, target }: FocusEvent) => {
      if (isOfCard(relatedTarget)) return;
      // A click on the card's text takes the focus from its button to nothing.
      if (relatedTarget !== null || !isOfCard(target)) move(null, false);
    },
  };
}

function pointOf(event: PointerEvent<SVGSVGElement> | React.MouseEvent<SVGSVGElement>) {
  const { left, top } = event.currentTarget.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
}

function nearestSeries(
  series: readonly ChartSeries[],
  bucket: number,
  { scales, y }: { readonly scales: Scales; readonly y: number },
): ChartSeries | null {
  const distance = ({ points }: ChartSeries): number => {
    const value = points[bucket]?.value ?? null;
    return value === null ? Number.POSITIVE_INFINITY : Math.abs(scales.y(value) - y);
  };
  const near = [...series].sort((a, b) => distance(a) - distance(b))[0];
  return near === undefined || distance(near) === Number.POSITIVE_INFINITY ? null : near;
}

interface GapsProps {
  readonly id: string;
  readonly points: readonly ChartPoint[];
  readonly scales: Scales;
  readonly reason: string;
}

/** About the width of a letter. */
const letterPx = 6.5;

/** Buckets without answers, hatched, with the reason where it fits. */
function Gaps({ id, points, scales, reason }: GapsProps) {
  const { plot, x, halfStep } = scales;
  const gaps = gapsOf(points);
  if (gaps.length === 0) return null;
  return (
    <g>
      <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse">
        <path d="M-1 7 7 -1M-1 1 1 -1M5 7 7 5" stroke="var(--line-strong)" strokeWidth="1" />
      </pattern>
      {gaps.map(({ first, last }) => {
        const left = Math.max(plot.left, x(first) - halfStep);
        const wide = Math.min(plot.right, x(last) + halfStep) - left;
        const start = points[first]?.startMs ?? 0;
        return (
          <g key={first}>
            <title>{`${reason}, from ${dateText(start)}`}</title>
            <rect
              x={left}
              y={plot.top}
              width={wide}
              height={plot.bottom - plot.top}
              fill={`url(#${id})`}
              opacity="0.7"
            />
            {wide < reason.length * letterPx ? null : (
              <text
                x={left + wide / 2}
                y={plot.top + 16}
                textAnchor="middle"
                fill="var(--ink-soft)"
                stroke="var(--panel)"
                strokeWidth="4"
                paintOrder="stroke"
              >
                {reason}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}

/** Small signs on the axis, below the buckets in which something else changed. */
function Marks({
  marks,
  scales: { plot, x },
}: {
  readonly marks: readonly ChartMark[];
  readonly scales: Scales;
}) {
  return (
    <g fill="var(--ink-soft)" stroke="var(--panel)">
      {marks.map(({ index, texts }) => (
        <path
          key={index}
          transform={`translate(${x(index)} ${plot.bottom})`}
          d="M-4 0L0 -4L4 0L0 4z"
          data-mark
        >
          <title>{texts.join(", ")}</title>
        </path>
      ))}
    </g>
  );
}

interface CrosshairProps {
  readonly series: readonly ChartSeries[];
  readonly scales: Scales;
  readonly index: number;
}

function Crosshair({ series, scales: { plot, x, y }, index }: CrosshairProps) {
  return (
    <g pointerEvents="none" data-crosshair>
      <line x1={x(index)} x2={x(index)} y1={plot.top} y2={plot.bottom} stroke="var(--ink-quiet)" />
      {series.map(({ id, color, isBrand, points }) => {
        const value = points[index]?.value ?? null;
        if (value === null) return null;
        return (
          <circle
            key={id}
            cx={x(index)}
            cy={y(value)}
            r={isBrand ? 5 : 3.5}
            fill={color}
            stroke="var(--panel)"
            strokeWidth="2"
          />
        );
      })}
    </g>
  );
}

interface AxesProps {
  readonly scales: Scales;
  readonly interval: Interval;
  readonly points: readonly ChartPoint[];
  readonly format: (value: number) => string;
}

/** Quiet lines with values at the left; dates below, the first of which is the period's. */
function Axes({ scales, interval, points, format }: AxesProps) {
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

/** The width of an element in px, as it is now; 0 until it is drawn. */
function useWidth<E extends HTMLElement>(): readonly [RefObject<E | null>, number] {
  const element = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    setWidth(current.clientWidth);
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
