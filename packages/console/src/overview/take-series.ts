import type { InsightsSeriesResponse } from "@sightline/client";
import { pngOf, svgOf } from "../charts/picture.ts";
import { rangeText } from "../data/format.ts";
import { metricTexts } from "../data/names.ts";
import type { MetricSeries } from "../data/queries.ts";
import type { ViewQuestion } from "../data/use-question.ts";
import { commandText, curlText, sdkText } from "../parts/copied-question.ts";
import { type Cell, copyText, csvOf, saveFile } from "../parts/save.ts";

/** Saves the chart as it is drawn, as SVG. */
export function saveSvg(question: ViewQuestion): void {
  const picture = new Blob([drawn(question)], { type: "image/svg+xml" });
  saveFile(`${question.view.metric}.svg`, picture);
}

/** Saves the chart as it is drawn, as PNG. */
export async function savePng(question: ViewQuestion): Promise<void> {
  saveFile(`${question.view.metric}.png`, await pngOf(drawn(question)));
}

function drawn({ view, workspace, range }: ViewQuestion): string {
  const chart = document.querySelector<SVGSVGElement>("svg[data-chart]");
  if (chart === null) throw new Error("There is no chart to save.");
  const { title } = metricTexts[view.metric];
  return svgOf(chart, `${title} · ${workspace.brand.name} · ${rangeText(range)} (UTC)`);
}

/** Saves every point of every entity, drawn or not, with its counts and its interval. */
export function saveCsv(reply: MetricSeries | undefined): void {
  if (reply !== undefined) saveFile(`${reply.metric}.csv`, csvOf(rowsOf(reply)));
}

const head = ["timestamp", "id", "name", "value", "numerator", "denominator", "low", "high"];

/** A row for each bucket of each entity. */
export function rowsOf({ series }: InsightsSeriesResponse): readonly (readonly Cell[])[] {
  const rows = series.flatMap(({ id, name, data }) =>
    data.map(({ timestamp, value, numerator, denominator, interval }) => [
      ...[timestamp, id, name, value, numerator, denominator],
      ...[interval?.low ?? null, interval?.high ?? null],
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
