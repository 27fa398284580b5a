import type { InsightsSourcesResponse } from "@sightline/client";
import {
  type ComparedRanges,
  comparisonNotes,
  rangesText,
  verdictCells,
} from "./comparison-text.ts";
import { safeText } from "./safe-text.ts";
import { type Column, tableLines } from "./table.ts";
import { styled, type Terminal } from "./terminal.ts";
import { unitOf } from "./units.ts";

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
