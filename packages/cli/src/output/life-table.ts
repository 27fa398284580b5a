import type { CitationLifeResponse } from "@sightline/client";
import { survivalDays } from "@sightline/contract";
import { type ComparedRanges, rangesText } from "./comparison-text.ts";
import { safeText } from "./safe-text.ts";
import { type Cell, type Column, tableLines } from "./table.ts";
import { styled, type Terminal } from "./terminal.ts";
import { unitOf } from "./units.ts";

type Lasting = CitationLifeResponse["all"];

/** How long citations of each group last, those of all together first. */
export function lifeTable(
  { by, all, groups, total }: CitationLifeResponse,
  timeRange: ComparedRanges["timeRange"],
  terminal: Terminal,
): readonly string[] {
  const columns: readonly Column[] = [
    { heading: by, align: "left", widthMin: 12 },
    { heading: "citations", align: "right" },
    { heading: "won", align: "right" },
    { heading: "lost", align: "right" },
    { heading: "median", align: "right" },
    { heading: `after ${survivalDays} days`, align: "right" },
    { heading: "95 % interval", align: "right" },
  ];
  const rows = groups.map(({ key, ...own }) => rowOf(safeText(key), own));
  return [
    styled(terminal, "bold", "How long citations last"),
    styled(terminal, "dim", rangesText({ timeRange, compared: null })),
    "",
    ...tableLines(terminal, columns, [rowOf("all", all), ...rows]),
    "",
    ...[
      `${groups.length} of ${total.toLocaleString("en-GB")} groups`,
      "a citation: a page in the answers of one provider and region to one prompt, until it is",
      "missing on two days of answers in a row; won: it began in the range; lost: it ended",
    ].map((line) => styled(terminal, "dim", line)),
  ];
}

function rowOf(name: string, lasting: Lasting): readonly Cell[] {
  const { citations, won, lost, medianDays, survival28 } = lasting;
  const unit = unitOf("mentions");
  const { value, interval } = survival28;
  const bounds = interval && `${unit.text(interval.low)} to ${unit.text(interval.high)}`;
  return [
    { text: name },
    ...[citations, won, lost].map((count) => ({ text: count.toLocaleString("en-GB") })),
    { text: medianDays === null ? "–" : `${medianDays} days` },
    { text: unit.text(value) },
    { text: bounds ?? "–" },
  ];
}
