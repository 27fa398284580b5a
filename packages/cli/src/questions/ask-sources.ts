import type { SourcePages } from "@sightline/client";
import {
  type MeasurementFacts,
  pageSourcesMax,
  type SourceAnalysisResponse,
} from "@sightline/contract";
import type { CommandIo } from "../command-io.ts";
import { connectionOf } from "../connection/connection.ts";
import { withClient } from "../connection/with-client.ts";
import { progressLine } from "../output/progress-line.ts";
import { sourceFields, sourceRecord } from "../output/records.ts";
import { safeText } from "../output/safe-text.ts";
import { dayText } from "../output/series-table.ts";
import { apart, type Column, columnWidths, tableLines } from "../output/table.ts";
import { styled, type Terminal } from "../output/terminal.ts";
import { noAnswersHint } from "./empty-hint.ts";
import { filtersOf } from "./filters.ts";
import { printPages } from "./print-pages.ts";
import { formatOf, printReply } from "./print-reply.ts";
import { type SourcesOptions, sourcesUnlessSaid } from "./question-options.ts";
import { timeRangeOf } from "./time-range.ts";

/** Asks for the ranked sources, one page or all, and prints them. */
export async function askSources(options: SourcesOptions, io: CommandIo): Promise<void> {
  const timeRange = timeRangeOf(options, io.now());
  const connection = await connectionOf(options, io);
  await withClient(connection, async (client) => {
    const filters = await filtersOf(options, timeRange, () => client.workspace());
    const format = formatOf(options, io);
    const page = pageOf(options);
    const asked = client.analytics.sources({ ...page, filters });
    if (options.all === true && (format === "csv" || format === "ndjson")) {
      const recordsOf = ({ sources }: SourceAnalysisResponse) => sources.map(sourceRecord);
      const printable = { fields: sourceFields, pages: asked.pages(), recordsOf };
      return printPages(format, printable, io);
    }
    const reply: SourcesReply = await (options.facts === true
      ? client.insights.sources({ ...page, filters, include: ["facts"] })
      : options.all === true
        ? wholeReply(asked, io)
        : asked);
    const printable = {
      document: reply,
      table: (terminal: Parameters<typeof sourceTable>[2]) =>
        sourceTable(reply, timeRange, terminal),
      fields: sourceFields,
      records: () => reply.sources.values().map(sourceRecord),
      facts: reply.facts,
    };
    printReply(format, printable, io);
    if (format === "table" && reply.pagination.total === 0) {
      io.stderr.write(await noAnswersHint(client, "cites"));
    }
  });
}

type SourcesReply = SourceAnalysisResponse & { readonly facts?: MeasurementFacts | undefined };

function pageOf({ groupBy, limit = sourcesUnlessSaid, offset = 0, all }: SourcesOptions) {
  return { groupBy, limit: all === true ? pageSourcesMax : limit, offset };
}

/** All pages merged into one reply. */
async function wholeReply(asked: SourcePages, io: CommandIo): Promise<SourceAnalysisResponse> {
  const progress = progressLine(io);
  const replies: SourceAnalysisResponse[] = [];
  let count = 0;
  try {
    for await (const reply of asked.pages()) {
      replies.push(reply);
      count += reply.sources.length;
      const { offset, total, hasMore } = reply.pagination;
      if (hasMore) progress.update(`${offset + reply.sources.length} of ${total} sources`);
    }
  } finally {
    progress.end();
  }
  const [first] = replies;
  if (first === undefined) throw new Error("the service sent no page");
  const pagination = { ...first.pagination, limit: Math.max(count, 1), hasMore: false };
  return { ...first, sources: replies.flatMap(({ sources }) => sources), pagination };
}

const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"] as const;
const barWidthMax = 30;
const barWidthMin = 4;
const sourceWidthMin = 16;

const columns: readonly Column[] = [
  { heading: "", align: "right" },
  { heading: "source", align: "left", widthMin: sourceWidthMin },
  { heading: "citations", align: "right" },
  { heading: "share", align: "right" },
  { heading: "", align: "left", widthMin: barWidthMin },
];

/** A bar of eighths of a column; `part` is 0 to 1 of `width`. */
export function bar(part: number, width: number): string {
  const filled = Math.round(Math.min(Math.max(part, 0), 1) * width * 8);
  return "█".repeat(Math.floor(filled / 8)) + (eighths[filled % 8] ?? "");
}

/** What the table of sources says of its question. */
interface SourcesAsked {
  readonly from: string;
  readonly to: string;
}

/** Sources as a table: place, citations, share of all citations, and the share as a bar. */
export function sourceTable(
  { groupBy, sources, pagination }: SourceAnalysisResponse,
  { from, to }: SourcesAsked,
  terminal: Terminal,
): readonly string[] {
  const most = sources.reduce((greatest, { share }) => Math.max(greatest, share), 0);
  const draw = (width: number) =>
    sources.map(({ source, citations, share }, row) => [
      { text: String(pagination.offset + row + 1), style: "dim" as const },
      { text: safeText(source) },
      { text: citations.toLocaleString("en-GB") },
      { text: `${(share * 100).toFixed(2)}%` },
      { text: bar(most === 0 ? 0 : share / most, width), style: "cyan" as const },
    ]);
  // A name is worth more than a bar, which takes what the others leave.
  const widths = columnWidths(terminal.width, columns, draw(barWidthMin));
  const taken = widths.slice(0, -1).reduce((sum, each) => sum + each + apart.length, 0);
  const room = Math.min(Math.max(terminal.width - taken, barWidthMin), barWidthMax);
  const range = `${dayText(from)} to before ${dayText(to)} (UTC)`;
  const what = groupBy === "domain" ? "Domains" : "URLs";
  return [
    styled(terminal, "bold", `${what} most often cited`),
    styled(terminal, "dim", `pairs of an answer and a URL; ${range}`),
    "",
    ...tableLines(terminal, columns, draw(room)),
    "",
    styled(terminal, "dim", pageText(pagination, sources.length)),
  ];
}

function pageText({ total, offset, hasMore }: SourceAnalysisResponse["pagination"], shown: number) {
  if (shown === 0) return `none of ${total.toLocaleString("en-GB")}`;
  const place = `${offset + 1} to ${offset + shown} of ${total.toLocaleString("en-GB")}`;
  return hasMore ? `${place}; continue with --offset ${offset + shown}, or --all` : place;
}
