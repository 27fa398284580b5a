import type { SourceAnalysisResponse } from "@sightline/contract";
import { safeText } from "./safe-text.ts";
import { dayText } from "./series-table.ts";
import { apart, type Column, columnWidths, tableLines } from "./table.ts";
import { styled, type Terminal } from "./terminal.ts";

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
export interface SourcesAsked {
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
