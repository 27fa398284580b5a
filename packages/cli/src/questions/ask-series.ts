import type { Sightline } from "@sightline/client";
import type {
  Exclude,
  InsightsSeriesRequest,
  InsightsSeriesResponse,
  MetricName,
  TimeSeriesRequest,
  TimeSeriesResponse,
} from "@sightline/contract";
import type { CommandIo } from "../command-io.ts";
import { connectionOf } from "../connection/connection.ts";
import { withClient } from "../connection/with-client.ts";
import { partialLines } from "../output/answer-counts.ts";
import { pointFields, pointRecords } from "../output/records.ts";
import { seriesPlot } from "../output/series-plot.ts";
import { seriesTable } from "../output/series-table.ts";
import type { Terminal } from "../output/terminal.ts";
import { noAnswersHint } from "./empty-hint.ts";
import { chosenOf } from "./filters.ts";
import { idOf, type NameKind } from "./names.ts";
import { formatOf, printReply } from "./print-reply.ts";
import { includedFacts, type SeriesOptions } from "./question-options.ts";
import { intervalOf, timeRangeOf } from "./time-range.ts";

/** Asks for a metric's time series and prints it. */
export async function askSeries(
  metric: MetricName,
  options: SeriesOptions,
  io: CommandIo,
): Promise<void> {
  const timeRange = timeRangeOf(options, io.now());
  const interval = options.interval ?? intervalOf(timeRange);
  const connection = await connectionOf(options, io);
  await withClient(connection, async (client) => {
    const chosen = await chosenOf(options, timeRange, () => client.workspace());
    const { filters, exclude } = chosen;
    const request = { interval, filters };
    const format = options.plot === true ? "table" : formatOf(options, io);
    const asked = { request, exclude, competitors: options.competitor, ...includedFacts(options) };
    // The interface's own operation has no facts, no models and no tags, and leaves nothing out.
    const { models, surfaces, tags } = filters;
    const isOfOrigin = [models, surfaces, tags].some((each) => each !== undefined);
    const isPlain = format !== "table" && options.facts !== true && exclude === undefined;
    const isInsight = !isPlain || isOfOrigin;
    const { reply, table } = await (isInsight
      ? drawnOf(client, metric, { ...asked, draw: options.plot === true ? seriesPlot : tableOf })
      : valuesOf(client, metric, asked));
    const fields = pointFields;
    const records = () => pointRecords(reply);
    const printable = { document: reply, table, fields, records, facts: reply.facts };
    printReply(format, printable, io);
    const isEmpty = reply.series.every(({ data }) => data.every(({ value }) => value === null));
    if (format !== "table" || !isEmpty) return;
    // A rate is null where there are no answers, a rank also where there is no mention.
    const nothing = metric === "rank" ? "mentions" : "passes";
    io.stderr.write(await noAnswersHint(client, nothing));
  });
}

interface Asked {
  readonly request: Pick<InsightsSeriesRequest, "interval" | "filters">;
  readonly exclude: Exclude | undefined;
  /** The competitors to show; undefined: all. */
  readonly competitors: readonly string[] | undefined;
  readonly include?: readonly ["facts"];
}

interface Shown {
  readonly reply: TimeSeriesResponse & Pick<InsightsSeriesResponse, "facts">;
  readonly table: (terminal: Terminal) => readonly string[];
}

/** The reply of the metric's own operation. */
async function valuesOf(
  client: Sightline,
  metric: MetricName,
  { request, competitors }: Asked,
): Promise<Shown> {
  const reply = onlyCompetitors(await replyTo(client, metric, request), competitors);
  return { reply, table: (terminal) => seriesTable(metric, reply, terminal) };
}

type Draw = (
  metric: MetricName,
  reply: InsightsSeriesResponse,
  terminal: Terminal,
) => readonly string[];

/** What people look at says how many answers its points have, and of how many days they are. */
async function drawnOf(
  client: Sightline,
  metric: MetricName,
  { request, exclude, competitors, include, draw }: Asked & { readonly draw: Draw },
): Promise<Shown> {
  const included = include === undefined ? {} : { include };
  const counted = await client.insights.series({ metric, ...request, exclude, ...included });
  const reply = onlyCompetitors(counted, competitors);
  return { reply, table: (terminal) => draw(metric, reply, terminal) };
}

const tableOf: Draw = (metric, reply, terminal) => [
  ...seriesTable(metric, reply, terminal),
  ...partialLines(reply, terminal),
];

interface NamedEntity {
  readonly id: string;
  readonly name: string;
}

const competitorKind: NameKind = { option: "--competitor", plural: "competitors", byPart: false };

/** The brand, which is always the first, and the competitors that are named; all if none is. */
function onlyCompetitors<Reply extends { readonly series: readonly NamedEntity[] }>(
  reply: Reply,
  names: readonly string[] | undefined,
): Reply {
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
