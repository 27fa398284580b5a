import type { InsightsPresenceResponse } from "@sightline/client";
import { presenceWays } from "@sightline/contract";
import {
  comparisonNotes,
  partCells,
  partColumns,
  rangesText,
  testedCells,
  testedColumns,
} from "./comparison-text.ts";
import { counted } from "./counted.ts";
import { safeText } from "./safe-text.ts";
import type { ShownSummary } from "./summary-table.ts";
import { type Column, tableLines } from "./table.ts";
import { styled, type Terminal } from "./terminal.ts";
import { unitOf } from "./units.ts";

/** What a table of the four ways is about. */
export interface ShownPresence extends ShownSummary {
  /** The name of the entity. */
  readonly entity: string;
}

const wayWords = {
  both: "named and cited",
  mentionedOnly: "named only",
  citedOnly: "cited only",
  neither: "neither",
} as const;

const columns: readonly Column[] = [
  { heading: "", align: "left" },
  { heading: "answers", align: "right" },
  { heading: "share", align: "right" },
  { heading: "95 % interval", align: "right" },
];

/** The four ways, a line each; the shares add up to 100 %. */
export function presenceTable(
  reply: InsightsPresenceResponse,
  { entity, parts, ...ranges }: ShownPresence,
  terminal: Terminal,
): readonly string[] {
  const unit = unitOf("mentions");
  const isCompared = ranges.compared !== null;
  const rows = presenceWays.map((way) => {
    const { value, numerator, interval, change } = reply[way];
    const bounds = interval && `${unit.text(interval.low)} to ${unit.text(interval.high)}`;
    return [
      { text: wayWords[way] },
      { text: numerator.toLocaleString("en-GB") },
      { text: unit.text(value) },
      { text: bounds ?? "–" },
      ...(isCompared && parts ? partCells(change, unit) : []),
      ...(isCompared ? testedCells(change, unit) : []),
    ];
  });
  const shownColumns = [
    ...columns,
    ...(isCompared && parts ? partColumns : []),
    ...(isCompared ? testedColumns : []),
  ];
  const changes = presenceWays.map((way) => reply[way].change);
  const { answers, prompts, tests, compare } = reply;
  const notes = comparisonNotes({ tests, compare, changes, ranges, parts });
  const given = `${counted(answers, "answer")} to ${counted(prompts, "prompt")}`;
  return [
    styled(terminal, "bold", `How answers name and cite ${safeText(entity)}`),
    styled(terminal, "dim", `${given}; ${rangesText(ranges)}`),
    "",
    ...tableLines(terminal, shownColumns, rows),
    "",
    ...[
      "the answers of a line: sightline query answers --role both, mentioned-only, …",
      ...notes,
    ].map((line) => styled(terminal, "dim", line)),
  ];
}
