import type { InsightsSeriesResponse, MetricName, WorkspaceResponse } from "@sightline/client";
import { sent } from "../../data/filters.ts";
import { countOf, dateText } from "../../data/format.ts";
import { type DrawnMetric, drawnText, flagOf, metricTexts } from "../../data/names.ts";
import type { MetricSeries } from "../../data/queries.ts";
import type { ViewQuestion } from "../../data/use-question.ts";
import { type Cell, type CsvForm, saveCsv as saveTable } from "../../parts/csv.ts";
import { copyText, saveFile } from "../../parts/save.ts";
import { chartSeries, isPartial } from "../charts/chart-data.ts";
import type { ChartMark } from "../charts/chart-marks.ts";
import { type Caption, pngOf, svgOf } from "../charts/picture.ts";
import { commandText, curlText, sdkText } from "../copied-question.ts";
import { fileName, filterTexts, periodText, sampleTexts, tableTexts } from "../described.ts";
import { shareDefinition } from "../portrayal/portrayal-texts.ts";

/** What is drawn, which may be the reply before the one that the view asks for. */
export interface Drawn {
  readonly series: MetricSeries | undefined;
  /** The previous period, drawn dotted where it has answers. */
  readonly before: MetricSeries | undefined;
  readonly workspace: WorkspaceResponse;
  /** The marks that are drawn, in the buckets of the series. */
  readonly marks: readonly ChartMark[];
  /** The account's name. */
  readonly owner: string;
}

const nothingDrawn = "There is no chart to save.";

/** Saves the chart as it is drawn, as SVG. @throws Error when there is none */
export function saveSvg(drawn: Drawn): void {
  const picture = pictureOf(drawn);
  saveFile(`${nameOf(drawn)}.svg`, new Blob([picture], { type: "image/svg+xml" }));
}

/** Saves the chart as it is drawn, as PNG. @throws Error when there is none */
export async function savePng(drawn: Drawn): Promise<void> {
  saveFile(`${nameOf(drawn)}.png`, await pngOf(pictureOf(drawn)));
}

function pictureOf(drawn: Drawn): string {
  const chart = document.querySelector<SVGSVGElement>("svg[data-chart]");
  if (chart === null || drawn.series === undefined) throw new Error(nothingDrawn);
  const hasBefore =
    chart.querySelector("path[data-previous]:not([d='']), [data-previous] circle") !== null;
  return svgOf(chart, captionOf(drawn, drawn.series, hasBefore));
}

/** What a picture says of itself: its reader sees neither the filters nor the page. */
export function captionOf(
  { before, workspace, owner, marks }: Omit<Drawn, "series">,
  reply: MetricSeries,
  hasBefore: boolean,
): Caption {
  const { metric, series, filters } = reply;
  const brand = series[0]?.name ?? workspace.brand.name;
  return {
    title: `${drawnText(metric).title} · ${brand} · ${periodText(filters)}`,
    notes: [
      ...filterTexts(filters, workspace),
      `n = ${countedOf(reply)}`,
      ...(owner === brand ? [] : [`Account: ${owner}`]),
      ...sampleTexts(workspace),
    ],
    definition: definitionOf(metric),
    line: `${brand} with its 95 % interval`,
    dotted: hasBefore && before !== undefined ? `${brand}, ${periodText(before.filters)}` : null,
    dashed: chartSeries(reply).some(({ points }) => points.some(isPartial))
      ? `part of a ${reply.interval === "monthly" ? "month" : "week"}`
      : null,
    marked: marks.map(({ index, texts }) => {
      const startMs = Date.parse(series[0]?.data[index]?.timestamp ?? "");
      return `${dateText(startMs, "day")}: ${texts.join(", ")}`;
    }),
  };
}

function definitionOf(metric: DrawnMetric): string {
  const flag = flagOf(metric);
  return flag === null ? metricTexts[metric as MetricName].definition : shareDefinition(flag);
}

/** On how much a series rests. */
function countedOf({ metric, series: [brand] }: MetricSeries): string {
  const counted = (brand?.data ?? []).reduce((sum, { denominator }) => sum + denominator, 0);
  return countOf(counted, metric === "rank" ? "mention" : "answer");
}

function nameOf({ series, workspace, owner }: Drawn): string {
  if (series === undefined) throw new Error(nothingDrawn);
  return fileName({ owner, what: series.metric, filters: series.filters, workspace });
}

/** Saves every point of every entity, drawn or not, with its counts and its interval. */
export function saveCsv(drawn: Drawn, form: CsvForm): void {
  const { series, workspace, owner } = drawn;
  if (series === undefined) throw new Error(nothingDrawn);
  const { metric, filters } = series;
  const { title } = drawnText(metric);
  const about = tableTexts({
    owner,
    what: metric,
    filters,
    workspace,
    title: `${title} · ${workspace.brand.name} and competitors`,
    n: countedOf(series),
    definitions: [definitionOf(metric)],
  });
  saveTable({ name: nameOf(drawn), about, rows: rowsOf(series) }, form);
}

const head = [
  ...["timestamp", "id", "name", "value", "numerator", "denominator", "low", "high"],
  ...["covered", "days"],
];

/** A row for each bucket of each entity. */
export function rowsOf({ series }: InsightsSeriesResponse): readonly (readonly Cell[])[] {
  const rows = series.flatMap(({ id, name, data }) =>
    data.map(({ timestamp, value, numerator, denominator, interval, covered, days }) => [
      ...[timestamp, id, name, value, numerator, denominator],
      ...[interval?.low ?? null, interval?.high ?? null, covered, days],
    ]),
  );
  return [head, ...rows];
}

/** Copies the chart's question as a call of curl. */
export function copyCurl(question: ViewQuestion, metric: DrawnMetric): Promise<void> {
  return copyText(curlText("/v1/insights/series", bodyOf(question, metric)));
}

/** Copies the chart's question as a call of the client. */
export function copySdk(question: ViewQuestion, metric: DrawnMetric): Promise<void> {
  return copyText(sdkText("insights.series", bodyOf(question, metric)));
}

/** Copies the chart's question as a command. */
export function copyCommand({ view, filters, interval }: ViewQuestion): Promise<void> {
  return copyText(commandText(view.metric, filters, ["--interval", interval]));
}

function bodyOf({ filters, interval }: ViewQuestion, metric: DrawnMetric): object {
  return sent({ metric, interval, filters });
}
