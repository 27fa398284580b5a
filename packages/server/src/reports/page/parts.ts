import type { AskedReport, ReportMetric, ReportNumbers, ReportValue } from "../asked-report.ts";
import type { ReportWords } from "../words/report-words.ts";
import { changeWord, type FigureKind, type Figures, isBetter, kindOf } from "./figures.ts";
import { html, type Markup, type Shown } from "./markup.ts";

/** What the parts of a page are written with. */
export interface Writing {
  readonly asked: AskedReport;
  readonly numbers: ReportNumbers;
  readonly words: ReportWords;
  readonly figures: Figures;
}

/** A column of a table. */
export interface Column {
  readonly heading: string;
  readonly align?: "right";
}

/** The text that a row is about, and its other cells. */
export type Row = readonly [Shown, ...(readonly Shown[])];

/** Tables of so few rows are printed on one page. */
const shortMax = 14;

/**
 * A table that scrolls sideways by itself where the page is narrow. Its first column names the
 * rows.
 */
export function table(caption: string, columns: readonly Column[], rows: readonly Row[]): Markup {
  const classOf = (at: number) => (columns[at]?.align === "right" ? "figure" : "text");
  const head = columns.map(
    ({ heading }, at) => html`<th scope="col" class="${classOf(at)}">${heading}</th>`,
  );
  const body = rows.map(([first, ...rest]) => {
    const cells = rest.map((cell, at) => html`<td class="${classOf(at + 1)}">${cell}</td>`);
    return html`<tr><th scope="row" class="text">${first}</th>${cells}</tr>\n`;
  });
  const size = rows.length <= shortMax ? "table short" : "table";
  return html`<div class="${size}" role="group" aria-label="${caption}" tabindex="0"><table>
<caption>${caption}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${body}</tbody></table></div>
`;
}

/** A value with its interval and n: what makes a figure one that can be judged. */
export function valueCell(
  { figures, words }: Writing,
  kind: FigureKind,
  value: ReportValue,
): Markup {
  const bounds = figures.bounds(kind, value.interval);
  const few = value.flags.includes("insufficient") ? ` · ${words.figures.few}` : "";
  const n = `${words.figures.n} ${figures.count(value.denominator)}${few}`;
  return html`<span class="value">${figures.value(kind, value.value)}</span>
<span class="rest">${bounds === null ? n : `${bounds} · ${n}`}</span>`;
}

/** A change with its verdict and interval. */
export function changeCell(writing: Writing, metric: ReportMetric, value: ReportValue): Markup {
  const { figures, words } = writing;
  const { change } = value;
  if (change === undefined) return html`${words.nothing}`;
  const kind = kindOf(metric);
  const word = changeWord(change);
  const bounds = figures.changeBounds(kind, change.interval);
  const size = figures.change(kind, change.parts?.likeForLike ?? null);
  const tone = word !== "moved" ? "still" : isBetter(metric, change) ? "better" : "worse";
  const between = bounds === null ? html`` : html`<span class="rest">${bounds}</span>\n`;
  return html`<span class="${tone}">${size}</span>
${between}<span class="rest">${words.changes[word]}</span>`;
}

/** The headings of a value and its change, the latter where there is a comparison. */
export function valueColumns({ asked, words }: Writing, heading: string): readonly Column[] {
  const value = { heading, align: "right" } as const;
  if (asked.compareWith === null) return [value];
  return [value, { heading: words.figures.change, align: "right" }];
}

/** The cells of these columns. */
export function valueCells(
  writing: Writing,
  metric: ReportMetric,
  value: ReportValue,
): readonly Markup[] {
  const cell = valueCell(writing, kindOf(metric), value);
  if (writing.asked.compareWith === null) return [cell];
  return [cell, changeCell(writing, metric, value)];
}

/** Paragraphs. */
export function paragraphs(texts: readonly string[]): readonly Markup[] {
  return texts.map((text) => html`<p>${text}</p>\n`);
}
