import type { Sightline } from "@sightline/client";
import type { MetricName, TimeSeriesRequest, TimeSeriesResponse } from "@sightline/contract";
import { connectionOf } from "../connection/connection.ts";
import { withClient } from "../connection/with-client.ts";
import { pointFields, pointRecords } from "../output/records.ts";
import { seriesPlot } from "../output/series-plot.ts";
import { seriesTable } from "../output/series-table.ts";
import type { Surroundings } from "../surroundings.ts";
import { filtersOf } from "./filters.ts";
import { idOf, type NameKind } from "./names.ts";
import { noAnswersHint } from "./no-answers-hint.ts";
import { formatOf, printReply } from "./print-reply.ts";
import type { SeriesOptions } from "./question-options.ts";
import { intervalOf, timeRangeOf } from "./time-range.ts";

/** Asks for a metric's time series and prints it. */
export async function askSeries(
  metric: MetricName,
  options: SeriesOptions,
  surroundings: Surroundings,
): Promise<void> {
  const timeRange = timeRangeOf(options, surroundings.now());
  const interval = options.interval ?? intervalOf(timeRange);
  const connection = await connectionOf(options, surroundings);
  await withClient(connection, async (client) => {
    const filters = await filtersOf(options, timeRange, () => client.workspace());
    const whole = await replyTo(client, metric, { interval, filters });
    const reply = onlyCompetitors(whole, options.competitor);
    const format = options.plot === true ? "table" : formatOf(options, surroundings);
    const draw = options.plot === true ? seriesPlot : seriesTable;
    const printable = {
      document: reply,
      table: (terminal: Parameters<typeof draw>[2]) => draw(metric, reply, terminal),
      fields: pointFields,
      records: () => pointRecords(reply),
    };
    printReply(format, printable, surroundings);
    const isEmpty = reply.series.every(({ data }) => data.every(({ value }) => value === null));
    if (format === "table" && isEmpty) surroundings.stderr.write(await noAnswersHint(client));
  });
}

const competitorKind: NameKind = { option: "--competitor", plural: "competitors", byPart: false };

/** The brand, which is always the first, and the named competitors; all when none is named. */
function onlyCompetitors(
  reply: TimeSeriesResponse,
  names: readonly string[] | undefined,
): TimeSeriesResponse {
  const [brand, ...competitors] = reply.series;
  if (names === undefined || brand === undefined) return reply;
  const ids = new Set(names.map((name) => idOf(name, competitorKind, competitors).toLowerCase()));
  return { ...reply, series: [brand, ...competitors.filter(({ id }) => ids.has(id))] };
}

function replyTo(
  { analytics }: Sightline,
  metric: MetricName,
  request: TimeSeriesRequest,
): Promise<TimeSeriesResponse> {
  switch (metric) {
    case "mentions":
      return analytics.mentions(request);
    case "overall-visibility":
      return analytics.visibility(request);
    case "citations":
      return analytics.citations(request);
    case "rank":
      return analytics.rank(request);
  }
}
