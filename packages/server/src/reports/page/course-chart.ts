import type { ReportNumbers } from "../asked-report.ts";
import { shortened } from "./figures.ts";
import { html, type Markup } from "./markup.ts";
import { type Column, type Row, table, type Writing } from "./parts.ts";

type Course = NonNullable<ReportNumbers["course"]>;
type Series = Course["series"][number];
type Point = Series["data"][number];

const [width, height] = [720, 260];
/** Room for the axis, the ends' names and the dates. */
const [left, right, top, bottom] = [48, 130, 12, 28];
/** More lines cannot be told apart. */
const competitorsDrawn = 4;
const dashes = ["none", "6 3", "2 3", "8 3 2 3"] as const;
const nameCharacters = 18;
const labelGap = 14;

/** Where instants and values are in the picture. */
interface Scales {
  readonly x: (ms: number) => number;
  readonly y: (value: number) => number;
  readonly ticks: readonly number[];
  readonly fromMs: number;
  readonly toMs: number;
}

/** The course of the brand and its competitors, as a picture with its figures behind it. */
export function courseSection(writing: Writing, course: Course): Markup {
  const { words, figures, numbers } = writing;
  const drawn = drawnSeries(writing, course);
  const brand = numbers.brand.name;
  if (!drawn.some(({ data }) => data.some(({ value }) => value !== null))) {
    return html`<p>${words.course.noLine}</p>`;
  }
  const marks = (course.marks ?? []).filter(({ kind }) => kind === "models");
  const dates = marks.map(({ timestamp }) => figures.day(timestamp)).join(", ");
  return html`<figure>
<div class="table" role="group" aria-label="${words.course.title(brand)}" tabindex="0">${chart(
    writing,
    drawn,
    marks.map(({ timestamp }) => Date.parse(timestamp)),
  )}
</div>
<figcaption>${words.course.title(brand)}, ${words.course.intervals[course.interval]}.
${words.course.band(brand)} ${dates === "" ? "" : words.course.marks(dates)}</figcaption>
</figure>
<details><summary>${words.course.figures}</summary>
${courseTable(writing, drawn)}</details>
`;
}

/** The brand, and the competitors with the most mentions, in the order of the summary. */
function drawnSeries({ numbers }: Writing, { series }: Course): readonly Series[] {
  const order = numbers.summary?.entities.map(({ id }) => id) ?? [];
  return series
    .toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
    .slice(0, 1 + competitorsDrawn);
}

function chart(writing: Writing, drawn: readonly Series[], marks: readonly number[]): Markup {
  const { words, figures, numbers } = writing;
  const scales = scalesOf(drawn);
  const { x, y, fromMs, toMs } = scales;
  const description = words.course.description(figures.day(fromMs), figures.day(toMs));
  const inside = marks.filter((ms) => ms >= fromMs && ms <= toMs);
  const [brand, ...others] = drawn;
  const brandLine =
    brand === undefined ? [] : [band(brand, scales), line(brand, scales, "brand", 0)];
  const markLines = inside.map(
    (ms) => html`<line class="mark" x1="${x(ms)}" x2="${x(ms)}" y1="${top}" y2="${y(0)}"/>`,
  );
  return html`<svg viewBox="0 0 ${width} ${height}" role="img"
 aria-labelledby="course-title course-text">
<title id="course-title">${words.course.title(numbers.brand.name)}</title>
<desc id="course-text">${description}</desc>
${axes(writing, scales)}
${markLines}
${others.map((each, at) => line(each, scales, `other-${at}`, at))}
${brandLine}
${endLabels(drawn, scales)}
</svg>`;
}

function scalesOf(drawn: readonly Series[]): Scales {
  const points = drawn.flatMap(({ data }) => data);
  const times = points.map(({ timestamp }) => Date.parse(timestamp));
  const [fromMs, toMs] = [Math.min(...times), Math.max(...times)];
  const brandHighs = drawn[0]?.data.map(({ interval }) => interval?.high ?? 0) ?? [];
  const most = Math.max(0.01, ...points.map(({ value }) => value ?? 0), ...brandHighs);
  const step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25].find((each) => most / each <= 5) ?? 0.25;
  const ticks = Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, at) => at * step);
  const highest = ticks.at(-1) ?? 1;
  const spanMs = Math.max(toMs - fromMs, 1);
  return {
    x: (ms) => round(left + ((ms - fromMs) / spanMs) * (width - left - right)),
    y: (value) => round(height - bottom - (value / highest) * (height - top - bottom)),
    ticks,
    fromMs,
    toMs,
  };
}

function axes({ figures, words }: Writing, { x, y, ticks, fromMs, toMs }: Scales): Markup {
  const percent = new Intl.NumberFormat(words.locale, { style: "percent" });
  const levels = ticks.map(
    (value) => html`<line class="grid" x1="${left}" x2="${width - right}" y1="${y(value)}"
 y2="${y(value)}"/><text class="tick" x="${left - 6}" y="${y(value) + 4}"
 text-anchor="end">${percent.format(value)}</text>
`,
  );
  const middle = fromMs + (toMs - fromMs) / 2;
  const places = [
    [fromMs, "start"],
    [middle, "middle"],
    [toMs, "end"],
  ] as const;
  const dates = (toMs === fromMs ? places.slice(0, 1) : places).map(
    ([ms, anchor]) =>
      html`<text class="tick" x="${x(ms)}" y="${height - 8}"
 text-anchor="${anchor}">${figures.day(ms)}</text>`,
  );
  return html`${levels}${dates}`;
}

/** Parts of a series without a gap: where nothing was measured no line is drawn. */
function partsOf(data: readonly Point[]): readonly (readonly Point[])[] {
  const parts: Point[][] = [[]];
  for (const point of data) {
    if (point.value === null) parts.push([]);
    else parts.at(-1)?.push(point);
  }
  return parts.filter(({ length }) => length > 0);
}

function line({ data }: Series, { x, y }: Scales, name: string, at: number): Markup {
  const parts = partsOf(data).map((part) => {
    const places = part.map(({ timestamp, value }) => [x(Date.parse(timestamp)), y(value ?? 0)]);
    const [only] = places;
    if (places.length === 1 && only !== undefined) {
      return html`<circle class="dot ${name}" cx="${only[0] ?? 0}" cy="${only[1] ?? 0}" r="2.5"/>`;
    }
    const points = places.map((place) => place.join(",")).join(" ");
    const dash = name === "brand" ? "none" : (dashes[at % dashes.length] ?? "none");
    return html`<polyline class="line ${name}" points="${points}" stroke-dasharray="${dash}"/>`;
  });
  return html`${parts}\n`;
}

/** The interval of each value, as an area. */
function band({ data }: Series, { x, y }: Scales): Markup {
  const measured = partsOf(
    data.map((each) => (each.interval === null ? { ...each, value: null } : each)),
  );
  return html`${measured.map((part) => {
    const upper = part.map(({ timestamp, interval }) => {
      return `${x(Date.parse(timestamp))},${y(interval?.high ?? 0)}`;
    });
    const lower = part.map(({ timestamp, interval }) => {
      return `${x(Date.parse(timestamp))},${y(interval?.low ?? 0)}`;
    });
    return html`<polygon class="band" points="${[...upper, ...lower.reverse()].join(" ")}"/>`;
  })}\n`;
}

/** The names at the ends of the lines, apart from one another. */
function endLabels(drawn: readonly Series[], { x, y, toMs }: Scales): Markup {
  const ends = drawn
    .map(({ name, data }, at) => ({
      name,
      at,
      value: data.findLast(({ value }) => value !== null)?.value,
    }))
    .filter(({ value }) => value !== undefined && value !== null)
    .map(({ name, at, value }) => ({ name, at, place: y(value ?? 0) }))
    .sort((a, b) => a.place - b.place);
  let last = top - labelGap;
  const lowest = height - bottom - labelGap * (ends.length - 1);
  return html`${ends.map(({ name, at, place }, order) => {
    last = Math.max(Math.min(place + 4, lowest + labelGap * order), last + labelGap);
    const kind = at === 0 ? "brand" : `other-${at - 1}`;
    const text = shortened(name, nameCharacters);
    return html`<text class="end ${kind}" x="${x(toMs) + 8}" y="${round(last)}">${text}</text>`;
  })}`;
}

function courseTable({ words, figures }: Writing, drawn: readonly Series[]): Markup {
  const columns: readonly Column[] = [
    { heading: words.tables.date },
    ...drawn.map(({ name }) => ({ heading: shortened(name, 40), align: "right" }) as const),
  ];
  const times = drawn[0]?.data.map(({ timestamp }) => timestamp) ?? [];
  const rows = times.map((timestamp, at): Row => {
    const cells = drawn.map(({ data }) => {
      const point = data[at];
      if (point === undefined || point.value === null) return html`${words.nothing}`;
      const bounds = figures.bounds("share", point.interval);
      const n = `${words.figures.n} ${figures.count(point.denominator)}`;
      return html`<span class="value">${figures.value("share", point.value)}</span>
<span class="rest">${bounds === null ? n : `${bounds} · ${n}`}</span>`;
    });
    return [figures.day(timestamp), ...cells];
  });
  return table(words.course.figures, columns, rows);
}

function round(place: number): number {
  return Math.round(place * 10) / 10;
}
