import type { InsightsSeriesResponse } from "@sightline/contract";
import { escapedText } from "./link-pages.ts";

/** What a picture shows. */
export interface LinkImage {
  readonly title: string;
  /** Its days and filters. */
  readonly sentences: readonly string[];
  /** What is below the course: until when answers count. */
  readonly foot: string;
  readonly metric: { readonly title: string; readonly unit: "fraction" | "place" };
  readonly series: InsightsSeriesResponse["series"];
}

type Series = LinkImage["series"][number];

const [width, height] = [720, 400];
/** Where the course is drawn: below the title, above the dates and the names. */
const plot = { left: 52, right: width - 20, top: 84, bottom: height - 76 } as const;
/** The brand, and as many competitors as can be told apart. */
const linesMax = 5;
/** Characters that a line of text has at this width. */
const titleCharactersMax = 64;
const sentenceCharactersMax = 104;
const nameCharactersMax = 16;

/** The course of a metric as one SVG: without scripts, links or anything that is loaded. */
export function imageOfCourse({ title, sentences, foot, metric, series }: LinkImage): string {
  const lines = strongest(series, metric.unit);
  const scale = scaleOf(lines, metric.unit);
  const said = shortened(sentences.join(" "), sentenceCharactersMax);
  const parts = [
    text({ x: 20, y: 34, name: "title" }, shortened(title, titleCharactersMax)),
    text({ x: 20, y: 56, name: "said" }, `${metric.title}. ${said}`),
    ...scale.ticks.map((value) => gridLine(scale, value)),
    ...dateTexts(lines),
    ...lines.toReversed().map((each, place) => course(each, scale, lines.length - 1 - place)),
    ...lines.map((each, place) => legend(each, metric.unit, place)),
    text({ x: 20, y: height - 14, name: "said" }, `${foot} ${basisOf(lines, metric.unit)}`),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" \
height="${height}" role="img" aria-labelledby="title said">
<title id="title">${escapedText(title)}</title>
<desc id="said">${escapedText(described(lines, metric, sentences))}</desc>
<style>${style}</style>
<rect class="ground" width="${width}" height="${height}" rx="12"/>
${parts.join("\n")}
</svg>
`;
}

const style = `
text { font-family: system-ui, sans-serif; fill: #1c2024 }
.title { font-size: 18px; font-weight: 600 } .said, .tick { font-size: 12px; fill: #5b6470 }
.name { font-size: 13px } .ground { fill: #fff } .grid { stroke: #e3e6ea }
.l0 { stroke: #1f5eff } .l1 { stroke: #b4540a } .l2 { stroke: #0f766e }
.l3 { stroke: #86198f }
.l4 { stroke: #5b6470 }
polyline, .key { fill: none; stroke-width: 1.75 }
polyline.l0, .key.l0 { stroke-width: 3 }
.l1 { stroke-dasharray: 7 3 } .l2 { stroke-dasharray: 2 3 }
.l3 { stroke-dasharray: 7 3 2 3 } .l4 { stroke-dasharray: 4 4 }
circle { stroke-width: 2; fill: none }
@media (prefers-color-scheme: dark) {
text { fill: #eef0f2 } .said, .tick { fill: #a9b1bb } .ground { fill: #15181c }
.grid { stroke: #2c3138 } .l0 { stroke: #7aa2ff } .l1 { stroke: #f0a35e } .l2 { stroke: #4fd1c5 }
.l3 { stroke: #e79bf0 } .l4 { stroke: #a9b1bb }
}
`;

/** The brand, then the competitors that answers name, cite or show most. */
function strongest([brand, ...others]: readonly Series[], unit: Scale["unit"]): readonly Series[] {
  if (brand === undefined) return [];
  const weight = (each: Series) => sumOf(each, unit === "place" ? "denominator" : "numerator");
  return [brand, ...others.toSorted((a, b) => weight(b) - weight(a)).slice(0, linesMax - 1)];
}

function sumOf({ data }: Series, of: "numerator" | "denominator"): number {
  return data.reduce((sum, point) => sum + point[of], 0);
}

/** How many answers the brand's course rests on. */
function basisOf([brand]: readonly Series[], unit: Scale["unit"]): string {
  const count = brand === undefined ? 0 : sumOf(brand, "denominator");
  return unit === "place" ? `n = ${count} answers that mention ${brand?.name}.` : `n = ${count}.`;
}

/** From values to heights. */
interface Scale {
  readonly low: number;
  readonly high: number;
  readonly unit: LinkImage["metric"]["unit"];
  readonly ticks: readonly number[];
}

const ticksCount = 4;

/** Fractions begin at 0; places begin at 1, which is best and so on top. */
function scaleOf(series: readonly Series[], unit: Scale["unit"]): Scale {
  const values = series.flatMap(({ data }) => data.flatMap(({ value }) => value ?? []));
  const most = Math.max(unit === "place" ? 2 : 0.04, ...values);
  const [low, high] = unit === "place" ? [1, Math.ceil(most)] : [0, roundedUp(most)];
  const step = (high - low) / ticksCount;
  const ticks = Array.from({ length: ticksCount + 1 }, (_, place) => low + place * step);
  return { low, high, unit, ticks };
}

/** The next of 4, 8, 20, 40, 60, 80 and 100 %, so that ticks are whole. */
function roundedUp(fraction: number): number {
  return [0.04, 0.08, 0.2, 0.4, 0.6, 0.8].find((bound) => fraction <= bound) ?? 1;
}

function yOf({ low, high, unit }: Scale, value: number): number {
  const share = (value - low) / (high - low);
  const up = unit === "place" ? 1 - share : share;
  return rounded(plot.bottom - up * (plot.bottom - plot.top));
}

function xOf(place: number, count: number): number {
  const share = count < 2 ? 0.5 : place / (count - 1);
  return rounded(plot.left + share * (plot.right - plot.left));
}

function gridLine(scale: Scale, value: number): string {
  const y = yOf(scale, value);
  return (
    `<line class="grid" x1="${plot.left}" x2="${plot.right}" y1="${y}" y2="${y}"/>` +
    text({ x: 8, y: y + 4, name: "tick" }, valueText(value, scale.unit))
  );
}

function dateTexts(series: readonly Series[]): readonly string[] {
  const points = series[0]?.data ?? [];
  const ends = [points[0], points.length > 1 ? points.at(-1) : undefined];
  return ends.flatMap((point, place) => {
    if (point === undefined) return [];
    const [date = ""] = point.timestamp.split("T");
    const anchor = place === 0 ? "start" : "end";
    const x = place === 0 ? plot.left : plot.right;
    return [text({ x, y: plot.bottom + 20, name: "tick", anchor }, date)];
  });
}

/** A line for each run of buckets with a value, and a dot for a bucket that stands alone. */
function course({ data }: Series, scale: Scale, place: number): string {
  const runs: string[][] = [[]];
  for (const [at, { value }] of data.entries()) {
    if (value === null) runs.push([]);
    else runs.at(-1)?.push(`${xOf(at, data.length)},${yOf(scale, value)}`);
  }
  return runs
    .filter((run) => run.length > 0)
    .map((run) => {
      const [[x, y] = []] = run.map((point) => point.split(","));
      return run.length === 1
        ? `<circle class="l${place}" cx="${x}" cy="${y}" r="2"/>`
        : `<polyline class="l${place}" points="${run.join(" ")}"/>`;
    })
    .join("");
}

function legend(series: Series, unit: Scale["unit"], place: number): string {
  const x = 20 + place * ((width - 40) / linesMax);
  const y = height - 36;
  const last = lastOf(series);
  const value = last === null ? "" : ` ${valueText(last, unit)}`;
  const name = `${shortened(series.name, nameCharactersMax - value.length)}${value}`;
  return (
    `<line class="key l${place}" x1="${x}" x2="${x + 14}" y1="${y - 4}" y2="${y - 4}"/>` +
    text({ x: x + 20, y, name: "name" }, name)
  );
}

function lastOf({ data }: Series): number | null {
  return data.findLast(({ value }) => value !== null)?.value ?? null;
}

/** What there is to see, for who does not see it. */
function described(
  series: readonly Series[],
  { title, unit }: LinkImage["metric"],
  sentences: readonly string[],
): string {
  const last = series.map((each) => {
    const value = lastOf(each);
    return `${each.name} ${value === null ? "without a value" : valueText(value, unit)}`;
  });
  return `${title}. ${sentences.join(" ")} Last values: ${last.join(", ")}.`;
}

function valueText(value: number, unit: Scale["unit"]): string {
  return unit === "place" ? value.toFixed(1) : `${Math.round(value * 100)} %`;
}

interface PlacedText {
  readonly x: number;
  readonly y: number;
  readonly name: string;
  readonly anchor?: "start" | "end";
}

function text({ x, y, name, anchor = "start" }: PlacedText, said: string): string {
  return (
    `<text class="${name}" x="${rounded(x)}" y="${rounded(y)}" text-anchor="${anchor}">` +
    `${escapedText(said)}</text>`
  );
}

function shortened(said: string, charactersMax: number): string {
  const characters = [...said];
  if (characters.length <= charactersMax) return said;
  return `${characters.slice(0, Math.max(1, charactersMax - 1)).join("")}…`;
}

function rounded(number: number): number {
  return Math.round(number * 10) / 10;
}
