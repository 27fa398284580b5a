import type { InsightsSourcesResponse } from "@sightline/client";
import {
  comparisonNotes,
  partCells,
  partColumns,
  rangesText,
  testedCells,
  testedColumns,
} from "./comparison-text.ts";
import { safeText } from "./safe-text.ts";
import type { ShownSummary } from "./summary-table.ts";
import { type Column, tableLines } from "./table.ts";
import { styled, type Terminal } from "./terminal.ts";
import { unitOf } from "./units.ts";

const sourceWidthMin = 16;

const columns: readonly Column[] = [
  { heading: "source", align: "left", widthMin: sourceWidthMin },
  { heading: "whose", align: "left" },
  { heading: "class", align: "left" },
  { heading: "answers", align: "right" },
  { heading: "with you", align: "right" },
  { heading: "you alone", align: "right" },
  { heading: "without you", align: "right" },
  { heading: "opportunity", align: "right" },
];

const classes: Readonly<Record<string, string>> = {
  own: "yours",
  competitor: "competitor",
  thirdParty: "third party",
};

/** Sources as a table, in the order of the reply. */
export function gapTable(
  { groupBy, sources, pagination, ...judged }: InsightsSourcesResponse,
  { parts, ...ranges }: ShownSummary,
  terminal: Terminal,
): readonly string[] {
  const isCompared = ranges.compared !== null;
  const unit = unitOf("mentions");
  const number = (count: number) => ({ text: count.toLocaleString("en-GB") });
  const rows = sources.map((source) => [
    { text: safeText(source.source) },
    { text: classes[source.class] ?? source.class },
    { text: source.form === null ? source.sourceClass : `${source.sourceClass}, ${source.form}` },
    number(source.answers),
    number(source.withBrand),
    number(source.withBrandOnly),
    number(source.withCompetitorOnly),
    { text: `${(source.opportunity * 100).toFixed(2)}%` },
    ...(isCompared ? [{ text: unit.text(source.share) }] : []),
    ...(isCompared && parts ? partCells(source.change, unit) : []),
    ...(isCompared ? testedCells(source.change, unit) : []),
  ]);
  const shownColumns = [
    ...columns,
    ...(isCompared ? [{ heading: "share", align: "right" } as const] : []),
    ...(isCompared && parts ? partColumns : []),
    ...(isCompared ? testedColumns : []),
  ];
  const changes = sources.map(({ change }) => change);
  const notes = comparisonNotes({ ...judged, changes, ranges, parts });
  const what = groupBy === "domain" ? "domains" : "URLs";
  const shown = `${sources.length} of ${pagination.total.toLocaleString("en-GB")} ${what}`;
  return [
    styled(terminal, "bold", `Gaps: who is visible where ${what} are cited`),
    styled(terminal, "dim", `answers; ${rangesText(ranges)}`),
    "",
    ...tableLines(terminal, shownColumns, rows),
    "",
    ...[
      `${shown}; without you: a competitor is visible and you are not`,
      "opportunity: about which share of all answers that is; careful where prompts are few",
      ...(isCompared ? ["share: of all citations", ...notes] : []),
    ].map((line) => styled(terminal, "dim", line)),
  ];
}
