import type { SourcePages } from "@sightline/client";
import { pageSourcesMax, type SourceAnalysisResponse } from "@sightline/contract";
import type { CommandIo } from "../command-io.ts";
import { connectionOf } from "../connection/connection.ts";
import { withClient } from "../connection/with-client.ts";
import { progressLine } from "../output/progress-line.ts";
import { sourceFields, sourceRecord } from "../output/records.ts";
import { sourceTable } from "../output/source-table.ts";
import { filtersOf } from "./filters.ts";
import { noAnswersHint } from "./no-answers-hint.ts";
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
    const asked = client.analytics.sources({ ...pageOf(options), filters });
    if (options.all === true && (format === "csv" || format === "ndjson")) {
      const recordsOf = ({ sources }: SourceAnalysisResponse) => sources.map(sourceRecord);
      const printable = { fields: sourceFields, pages: asked.pages(), recordsOf };
      return printPages(format, printable, io);
    }
    const reply = await (options.all === true ? wholeReply(asked, io) : asked);
    const printable = {
      document: reply,
      table: (terminal: Parameters<typeof sourceTable>[2]) =>
        sourceTable(reply, timeRange, terminal),
      fields: sourceFields,
      records: () => reply.sources.values().map(sourceRecord),
    };
    printReply(format, printable, io);
    if (format === "table" && reply.pagination.total === 0) {
      io.stderr.write(await noAnswersHint(client, "cites"));
    }
  });
}

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
