import type { InsightsSeriesResponse, MetricName } from "@sightline/contract";
import { countLines, markOf, partialLines } from "./answer-counts.ts";
import {
  BrailleCanvas,
  type CanvasCell,
  type Dot,
  dotsAcross,
  dotsDown,
} from "./braille-canvas.ts";
import { safeText } from "./safe-text.ts";
import { dayText, headingOf } from "./series-table.ts";
import { type Style, styled, type Terminal } from "./terminal.ts";
import { fitted, padded, textWidth } from "./text-width.ts";
import { type Unit, unitOf } from "./units.ts";

type Point = InsightsSeriesResponse["series"][number]["data"][number];

const rowsOfChart = 16;
const plotWidthMin = 10;
/** A letter on its line about this often, in characters, so that lines can be distinguished. */
const charactersByLetter = 24;
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const styles: readonly Style[] = ["cyan", "yellow", "magenta", "green", "blue", "red", "white"];

/**
 * A time series as a chart of braille dots with axes. Each line carries its letter, and the legend
 * says whose it is, so that it can be read without colour. Null breaks a line, and a point of few
 * answers or of a part of its bucket is hollow. Fractions are drawn from 0 up, places from 1 down:
 * higher is better in both.
 */
export function seriesPlot(
  metric: MetricName,
  reply: InsightsSeriesResponse,
  terminal: Terminal,
): readonly string[] {
  const unit = unitOf(metric);
  const axis = axisFor(reply, unit);
  const labels = axis.ticks.map((tick) => unit.text(tick));
  const labelWidth = Math.max(...labels.map(textWidth));
  const width = Math.max(plotWidthMin, terminal.width - labelWidth - 2);
  const canvas = new BrailleCanvas(width, rowsOfChart);
  const place = placement(axis, unit, canvas);
  const lines = reply.series.map(({ data }, number) => ({ number, dots: dotsOf(data, place) }));
  // In reverse, so that the brand, which is first, is drawn over the others.
  for (const line of lines.toReversed()) drawLine(canvas, line);
  for (const line of lines) markLast(canvas, line);
  for (const line of lines) markHollow(canvas, line);
  for (const line of lines) markAlong(canvas, line);
  const labelByRow = new Map(
    axis.ticks.map((tick, index) => [Math.floor(place.y(tick) / dotsDown), labels[index] ?? ""]),
  );
  const rows = canvas.rows().map((cells, row) => {
    const label = labelByRow.get(row);
    const edge = `${padded(label ?? "", labelWidth, "right")} ${label === undefined ? "│" : "┤"}`;
    return `${styled(terminal, "dim", edge)}${drawn(cells, terminal)}`;
  });
  return [
    ...headingOf(metric, reply, terminal),
    "",
    ...rows,
    ...timeAxis(reply, { labelWidth, width, terminal }),
    "",
    ...legend(reply, unit, terminal),
    ...countLines(metric, reply, terminal),
    ...partialLines(reply, terminal),
  ];
}

/** A row's text, with one change of style for neighbours of one line. */
function drawn(cells: readonly CanvasCell[], terminal: Terminal): string {
  const end = cells.findLastIndex(({ text }) => text !== " ") + 1;
  let row = "";
  for (let first = 0; first < end; ) {
    const { line } = cells[first] ?? { line: null };
    let next = first + 1;
    while (next < end && cells[next]?.line === line) next += 1;
    const run = cells.slice(first, next).map(({ text }) => text);
    row += styled(terminal, styleOf(line), run.join(""));
    first = next;
  }
  return row;
}

interface Placement {
  readonly x: (index: number, count: number) => number;
  readonly y: (value: number) => number;
}

function placement(axis: Axis, unit: Unit, { width, height }: BrailleCanvas): Placement {
  const [right, bottom] = [width * dotsAcross - 1, height * dotsDown - 1];
  return {
    x: (index, count) => (count < 2 ? 0 : Math.round((index * right) / (count - 1))),
    y: (value) => {
      const part = (value - axis.least) / (axis.most - axis.least);
      return Math.round((unit.better === 1 ? 1 - part : part) * bottom);
    },
  };
}

function axisFor({ series }: InsightsSeriesResponse, unit: Unit): Axis {
  const least = unit.better === 1 ? 0 : 1;
  const most = series
    .flatMap(({ data }) => data.map(({ value }) => value ?? least))
    .reduce((greatest, value) => Math.max(greatest, value), least);
  return axisOf(least, most);
}

function styleOf(line: number | null): Style | undefined {
  return line === null ? undefined : styles[line % styles.length];
}

function letterOf(line: number): string {
  return letters[line % letters.length] ?? "*";
}

/** A point that has a value. */
interface PointDot extends Dot {
  /** What it is drawn as where it is less than it seems; null: a dot. */
  readonly mark: string | null;
}

/** The dots of the points; null: without a value. */
function dotsOf(data: readonly Point[], { x, y }: Placement): readonly (PointDot | null)[] {
  return data.map((point, index) => {
    const { value } = point;
    if (value === null) return null;
    return { x: x(index, data.length), y: y(value), mark: markOf(point) };
  });
}

/** A series as it is drawn; null breaks its line. */
interface Line {
  readonly number: number;
  readonly dots: readonly (PointDot | null)[];
}

function drawLine(canvas: BrailleCanvas, { number, dots }: Line): void {
  let before: Dot | null = null;
  for (const dot of dots) {
    if (dot !== null) canvas.draw(number, before ?? dot, dot);
    before = dot;
  }
}

function markLast(canvas: BrailleCanvas, { number, dots }: Line): void {
  const last = dots.findLast((dot) => dot !== null);
  if (last) canvas.mark(number, last, letterOf(number));
}

function markHollow(canvas: BrailleCanvas, { number, dots }: Line): void {
  for (const dot of dots) {
    if (dot !== null && dot.mark !== null) canvas.mark(number, dot, dot.mark);
  }
}

/** Letters along a line, at places that differ from line to line. */
function markAlong(canvas: BrailleCanvas, { number, dots }: Line): void {
  const known = dots.filter((dot) => dot !== null);
  const lastX = known.at(-1)?.x ?? 0;
  let next = ((number * 5) % charactersByLetter) * dotsAcross;
  for (const dot of known) {
    if (dot.mark !== null || dot.x < next || lastX - dot.x < 3 * dotsAcross) continue;
    canvas.mark(number, dot, letterOf(number));
    next = dot.x + charactersByLetter * dotsAcross;
  }
}

interface TimeAxisPlace {
  readonly labelWidth: number;
  readonly width: number;
  readonly terminal: Terminal;
}

/** The first and the last bucket, and the middle one where there is room. */
function timeAxis({ series }: InsightsSeriesResponse, place: TimeAxisPlace): readonly string[] {
  const { labelWidth, width, terminal } = place;
  const data = series[0]?.data ?? [];
  const at = (index: number) => dayText(data[index]?.timestamp ?? "");
  const [first, last] = [at(0), data.length > 1 ? at(data.length - 1) : ""];
  const middle = Math.floor((data.length - 1) / 2);
  const room = width - first.length - last.length;
  let between = " ".repeat(Math.max(1, room));
  const middleText = data.length > 4 && room >= at(middle).length + 4 ? at(middle) : "";
  if (middleText !== "") {
    const centre = Math.round((middle * (width - 1)) / (data.length - 1) - middleText.length / 2);
    const before = Math.min(Math.max(2, centre - first.length), room - middleText.length - 2);
    between = " ".repeat(before) + middleText;
    between += " ".repeat(room - textWidth(between));
  }
  const margin = " ".repeat(labelWidth + 1);
  return [
    styled(terminal, "dim", `${margin}└${"─".repeat(width)}`),
    styled(terminal, "dim", `${margin} ${fitted(`${first}${between}${last}`.trimEnd(), width)}`),
  ];
}

/** Letter, name and last value of each series, as many to a line as there is room for. */
function legend(
  { series }: InsightsSeriesResponse,
  unit: Unit,
  terminal: Terminal,
): readonly string[] {
  const lines: string[] = [];
  let room = 0;
  for (const [line, { name, data }] of series.entries()) {
    const last = data.findLast(({ value }) => value !== null);
    // The letter stands where the last point would be hollow.
    const mark = last === undefined ? null : markOf(last);
    const figure = `${unit.text(last?.value ?? null)}${mark === null ? "" : ` ${mark}`}`;
    const text = `${fitted(safeText(name), terminal.width - figure.length - 5)} ${figure}`;
    const width = textWidth(text) + 2;
    const entry = `${styled(terminal, styleOf(line), letterOf(line))} ${text}`;
    if (lines.length === 0 || room < width + 3) {
      lines.push(entry);
      room = terminal.width - width;
    } else {
      lines[lines.length - 1] += `   ${entry}`;
      room -= width + 3;
    }
  }
  return lines;
}

/** An axis of values: its ends, and the values at which it is labelled, rising. */
interface Axis {
  readonly least: number;
  readonly most: number;
  readonly ticks: readonly number[];
}

const stepsMax = 4;
const reachMin = 1e-6;

/**
 * An axis over values from `least` on: round steps (1, 2, 2.5 or 5 times a power of ten), at most
 * four. Where `most` is not above `least`, or so little that no label would show it, the axis is
 * one long.
 */
export function axisOf(least: number, most: number): Axis {
  const reach = most - least > reachMin ? most - least : 1;
  const step = roundStep(reach / stepsMax);
  const count = Math.max(1, Math.ceil(reach / step - 1e-9));
  const ticks = Array.from({ length: count + 1 }, (_, place) => least + place * step);
  return { least, most: ticks.at(-1) ?? most, ticks };
}

function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 2.5, 5, 10].find((each) => each * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}
