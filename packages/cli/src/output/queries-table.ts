import type { SearchQueriesResponse } from "@sightline/client";
import { type ComparedRanges, rangesText } from "./comparison-text.ts";
import { safeText } from "./safe-text.ts";
import { type Column, tableLines } from "./table.ts";
import { styled, type Terminal } from "./terminal.ts";
import { unitOf } from "./units.ts";

/** What a table of queries is about. */
interface ShownQueries extends Pick<ComparedRanges, "timeRange"> {
  /** The name of the entity that is told of. */
  readonly entity: string;
}

/** What answers searched for, with the words that were added, and who is named afterwards. */
export function queriesTable(
  { searched, queries, total, nextCursor }: SearchQueriesResponse,
  { timeRange, entity }: ShownQueries,
  terminal: Terminal,
): readonly string[] {
  const unit = unitOf("mentions");
  const columns: readonly Column[] = [
    { heading: "query", align: "left", widthMin: 16 },
    { heading: "answers", align: "right" },
    { heading: "prompts", align: "right" },
    { heading: "added", align: "left", widthMin: 8 },
    { heading: "named", align: "right" },
    { heading: "cited", align: "right" },
  ];
  const rows = queries.map(({ query, answers, prompts, added, entities: [own] }) => [
    { text: safeText(query) },
    { text: answers.toLocaleString("en-GB") },
    { text: prompts.toLocaleString("en-GB") },
    { text: safeText(added.join(" ")) },
    { text: unit.text(own?.mentions.value ?? null) },
    { text: unit.text(own?.citations.value ?? null) },
  ]);
  const shares = searched.map(({ provider, answers, searched: own, tells }) => {
    return tells ? `${provider} ${unit.text(own / answers)}` : `${provider} never tells`;
  });
  return [
    styled(terminal, "bold", "What assistants searched for"),
    styled(terminal, "dim", rangesText({ timeRange, compared: null })),
    "",
    ...tableLines(terminal, columns, rows),
    "",
    ...[
      `${queries.length} of ${total.toLocaleString("en-GB")} queries`,
      `named, cited: the share of these answers that does so with ${safeText(entity)}`,
      `answers that tell a search: ${shares.join(", ")}`,
      ...(nextCursor === null ? [] : [`next page: --cursor ${nextCursor}`]),
    ].map((line) => styled(terminal, "dim", line)),
  ];
}
