import type { InsightsSeriesResponse } from "@sightline/client";
import { pngOf, svgOf } from "../charts/picture.ts";
import { rangeText } from "../data/format.ts";
import { metricTexts } from "../data/names.ts";
import type { MetricSeries } from "../data/queries.ts";
import type { ViewQuestion } from "../data/use-question.ts";
import { commandText, curlText, sdkText } from "../parts/copied-question.ts";
import { type Cell, copyText, csvOf, saveFile } from "../parts/save.ts";

/** What is drawn, which may be the reply before the one that the view asks for. */
type Drawn = MetricSeries | undefined;

const nothingDrawn = "There is no chart to save.";

/** Saves the chart as it is drawn, as SVG. @throws Error when there is none */
export function saveSvg(reply: Drawn): void {
  const [name, picture] = drawn(reply);
  saveFile(`${name}.svg`, new Blob([picture], { type: "image/svg+xml" }));
}

/** Saves the chart as it is drawn, as PNG. @throws Error when there is none */
export async function savePng(reply: Drawn): Promise<void> {
  const [name, picture] = drawn(reply);
  saveFile(`${name}.png`, await pngOf(picture));
}

function drawn(reply: Drawn): readonly [name: string, picture: string] {
  const chart = document.querySelector<SVGSVGElement>("svg[data-chart]");
  if (chart === null || reply === undefined) throw new Error(nothingDrawn);
  const { metric, series, timeRange } = reply;
  const days = { fromMs: Date.parse(timeRange.from), toMs: Date.parse(timeRange.to) };
  const title = `${metricTexts[metric].title} · ${series[0]?.name} · ${rangeText(days)} (UTC)`;
  return [metric, svgOf(chart, title)];
}

/** Saves every point of every entity, drawn or not, with its counts and its interval. */
export function saveCsv(reply: Drawn): void {
  if (reply === undefined) throw new Error(nothingDrawn);
  saveFile(`${reply.metric}.csv`, csvOf(rowsOf(reply)));
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
export function copyCurl(question: ViewQuestion): Promise<void> {
  return copyText(curlText("/v1/insights/series", bodyOf(question)));
}

/** Copies the chart's question as a call of the client. */
export function copySdk(question: ViewQuestion): Promise<void> {
  return copyText(sdkText("insights.series", bodyOf(question)));
}

/** Copies the chart's question as a command. */
export function copyCommand({ view, filters, interval }: ViewQuestion): Promise<void> {
  return copyText(commandText(view.metric, filters, ["--interval", interval]));
}

function bodyOf({ view, filters, interval }: ViewQuestion): object {
  return { metric: view.metric, interval, filters };
}
