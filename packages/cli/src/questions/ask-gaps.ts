import type { InsightsSourcesResponse } from "@sightline/client";
import type { CommandIo } from "../command-io.ts";
import { connectionOf } from "../connection/connection.ts";
import { withClient } from "../connection/with-client.ts";
import {
  type ComparedRanges,
  comparisonNotes,
  rangesText,
  verdictCells,
} from "../output/comparison-text.ts";
import { changeFields, comparedFields, gapFields, gapRecords } from "../output/insight-records.ts";
import { safeText } from "../output/safe-text.ts";
import { type Column, tableLines } from "../output/table.ts";
import { styled, type Terminal } from "../output/terminal.ts";
import { unitOf } from "../output/units.ts";
import { comparisonOf } from "./compared-range.ts";
import { emptyHint } from "./empty-hint.ts";
import { citedOf, filtersOf } from "./filters.ts";
import { formatOf, printReply } from "./print-reply.ts";
import { type GapsOptions, sourcesUnlessSaid } from "./question-options.ts";
import { timeRangeOf } from "./time-range.ts";

/** Asks for the most cited sources and who is visible where they are cited, and prints it. */
export async function askGaps(options: GapsOptions, io: CommandIo): Promise<void> {
  const now = io.now();
  const timeRange = timeRangeOf(options, now);
  const { compared, fieldsFor } = comparisonOf(options, timeRange, now);
  const connection = await connectionOf(options, io);
  await withClient(connection, async (client) => {
    const filters = await filtersOf(options, timeRange, () => client.workspace());
    const { groupBy, limit = sourcesUnlessSaid, offset = 0 } = options;
    const reply = await client.insights.sources({
      groupBy,
      limit,
      offset,
      filters,
      ...citedOf(options),
      ...fieldsFor(filters),
    });
    const format = formatOf(options, io);
    const printable = {
      document: reply,
      table: (terminal: Terminal) => gapTable(reply, { timeRange, compared }, terminal),
      fields: compared === null ? gapFields : [...gapFields, ...changeFields, ...comparedFields],
      records: () => gapRecords(reply),
    };
    printReply(format, printable, io);
    if (format === "table") io.stderr.write(emptyHint(reply.empty));
  });
}

const sourceWidthMin = 16;

const columns: readonly Column[] = [
  { heading: "source", align: "left", widthMin: sourceWidthMin },
  { heading: "whose", align: "left" },
  { heading: "answers", align: "right" },
  { heading: "with you", align: "right" },
  { heading: "you alone", align: "right" },
  { heading: "without you", align: "right" },
];

const changeColumns: readonly Column[] = [
  { heading: "share", align: "right" },
  { heading: "change", align: "right" },
  { heading: "p", align: "right" },
  { heading: "verdict", align: "left" },
];

const classes: Readonly<Record<string, string>> = {
  own: "yours",
  competitor: "competitor",
  thirdParty: "third party",
};

/** Sources as a table, those first whose answers most often show a competitor without the brand. */
export function gapTable(
  { groupBy, sources, pagination, ...judged }: InsightsSourcesResponse,
  ranges: ComparedRanges,
  terminal: Terminal,
): readonly string[] {
  const changes = ranges.compared !== null;
  const { text, differenceText } = unitOf("mentions");
  const number = (count: number) => ({ text: count.toLocaleString("en-GB") });
  const rows = sources
    .toSorted((a, b) => b.withCompetitorOnly - a.withCompetitorOnly)
    .map((source) => [
      { text: safeText(source.source) },
      { text: classes[source.class] ?? source.class },
      number(source.answers),
      number(source.withBrand),
      number(source.withBrandOnly),
      number(source.withCompetitorOnly),
      ...(changes
        ? [
            { text: text(source.share) },
            { text: differenceText(source.change?.value ?? null) },
            ...verdictCells(source.change),
          ]
        : []),
    ]);
  const what = groupBy === "domain" ? "domains" : "URLs";
  const shown = `${sources.length} of ${pagination.total.toLocaleString("en-GB")} ${what}`;
  return [
    styled(terminal, "bold", `Gaps: who is visible where the most cited ${what} are cited`),
    styled(terminal, "dim", `answers; ${rangesText(ranges)}`),
    "",
    ...tableLines(terminal, changes ? [...columns, ...changeColumns] : columns, rows),
    "",
    styled(terminal, "dim", `${shown}; without you: a competitor is visible and you are not`),
    ...(changes ? ["share: of all citations", ...comparisonNotes(judged)] : []).map((line) =>
      styled(terminal, "dim", line),
    ),
  ];
}
