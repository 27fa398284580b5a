import { type MetricName, metrics, type TimeSeriesResponse } from "@sightline/contract";
import { safeText } from "./safe-text.ts";
import { type Cell, type Column, columnWidths, tableLines } from "./table.ts";
import { styled, type Terminal } from "./terminal.ts";
import { type Unit, unitOf } from "./units.ts";

type Series = TimeSeriesResponse["series"][number];

const nameWidthMin = 8;
/** What 60 columns leave when every figure is 100.0 %. */
const sparklineWidthMin = 7;

/**
 * A time series as a table, one row per series. There is no mean: a mean of rates would give a
 * bucket of one answer the weight of one with a thousand. For one number, use a longer interval.
 */
export function seriesTable(
  metric: MetricName,
  reply: TimeSeriesResponse,
  terminal: Terminal,
): readonly string[] {
  const unit = unitOf(metric);
  const values = reply.series.map(({ data }) => data.map(({ value }) => value));
  const span = spanOf(values.flat(), unit.better);
  const draw = (width: number) =>
    reply.series.map((series, row) =>
      rowOf(series, unit, sparkline(values[row] ?? [], span, width)),
    );
  const longest = values.reduce((most, { length }) => Math.max(most, length), 0);
  // Twice: the first time to see how much room is left for the sparklines.
  const widths = columnWidths(terminal.width, columns, draw(longest));
  const rows = draw(widths[1] ?? sparklineWidthMin);
  return [
    ...headingOf(metric, reply, terminal),
    "",
    ...tableLines(terminal, columns, rows),
    ...legendOf(span, unit, terminal),
  ];
}

/** What is shown, in which unit, by what interval and for which range. */
export function headingOf(
  metric: MetricName,
  { interval, timeRange }: TimeSeriesResponse,
  terminal: Terminal,
): readonly string[] {
  const range = `${dayText(timeRange.from)} to before ${dayText(timeRange.to)} (UTC)`;
  return [
    styled(terminal, "bold", metrics[metric].summary),
    styled(terminal, "dim", `${unitOf(metric).words}; ${interval}, ${range}`),
  ];
}

/** An instant as people read it: midnight is its day. */
export function dayText(instant: string): string {
  return safeText(instant).replace(/T00:00:00(?:\.000)?Z$/, "");
}

const columns: readonly Column[] = [
  { heading: "", align: "left", widthMin: nameWidthMin },
  { heading: "", align: "left", widthMin: sparklineWidthMin },
  { heading: "first", align: "right" },
  { heading: "last", align: "right" },
  { heading: "change", align: "right" },
  { heading: "min", align: "right" },
  { heading: "max", align: "right" },
];

function rowOf({ name, data }: Series, unit: Unit, drawn: string): readonly Cell[] {
  const known = data.map(({ value }) => value).filter((value) => value !== null);
  const [first, last] = [known[0] ?? null, known.at(-1) ?? null];
  const change = first === null || last === null ? null : last - first;
  const least: Value = known.length === 0 ? null : known.reduce((a, b) => Math.min(a, b));
  const most: Value = known.length === 0 ? null : known.reduce((a, b) => Math.max(a, b));
  return [
    { text: safeText(name) },
    { text: drawn, style: "cyan" },
    { text: unit.text(first) },
    { text: unit.text(last), style: "bold" },
    changeCell(change, unit),
    { text: unit.text(least) },
    { text: unit.text(most) },
  ];
}

function changeCell(change: Value, unit: Unit): Cell {
  const text = unit.differenceText(change);
  if (change === null || !/^[+-]/.test(text)) return { text };
  return { text, style: change * unit.better > 0 ? "green" : "red" };
}

function legendOf(span: Span | null, unit: Unit, terminal: Terminal): readonly string[] {
  if (span === null) return [];
  const { low, high } = span;
  const bars =
    low === high
      ? `all values are ${unit.text(low)}`
      : `▁ ${unit.text(low)} to █ ${unit.text(high)}, a gap where nothing was measured`;
  return ["", styled(terminal, "dim", bars)];
}

const levels = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;
const gap = " ";

/** The values between which sparklines are drawn: `low` is the shortest bar, `high` the longest. */
interface Span {
  readonly low: number;
  readonly high: number;
}

/** A value of a time series; null: nothing was measured. */
export type Value = number | null;

/**
 * The span of all values; null when there is none. With `better` -1 (a place) `low` is the greatest
 * value, so that a taller bar is always the better one.
 */
export function spanOf(values: readonly Value[], better: 1 | -1): Span | null {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value === null) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  if (most < least) return null;
  return better === 1 ? { low: least, high: most } : { low: most, high: least };
}

/**
 * One bar a value, in at most `width` columns; null is a gap. Where there are more values than
 * columns, neighbours share a bar, drawn at their mean: it is a picture, not a figure.
 */
export function sparkline(values: readonly Value[], span: Span | null, width: number): string {
  return shared(values, Math.max(1, width))
    .map((value) => (value === null || span === null ? gap : barOf(value, span)))
    .join("");
}

function barOf(value: number, { low, high }: Span): string {
  if (low === high) return levels[3];
  const place = Math.floor(((value - low) / (high - low)) * levels.length);
  return levels[Math.min(place, levels.length - 1)] ?? gap;
}

function shared(values: readonly Value[], width: number): readonly Value[] {
  if (values.length <= width) return values;
  return Array.from({ length: width }, (_, column) => {
    const first = Math.floor((column * values.length) / width);
    const end = Math.floor(((column + 1) * values.length) / width);
    const known = values.slice(first, end).filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  });
}
