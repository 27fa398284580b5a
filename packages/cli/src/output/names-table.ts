import type { UntrackedNamesResponse } from "@sightline/client";
import { type ComparedRanges, rangesText } from "./comparison-text.ts";
import { safeText } from "./safe-text.ts";
import { type Column, tableLines } from "./table.ts";
import { styled, type Terminal } from "./terminal.ts";
import { unitOf } from "./units.ts";

/** What a table of names is about. */
interface ShownNames extends Pick<ComparedRanges, "timeRange"> {
  /** The names of entities by their ids. */
  readonly tracked: ReadonlyMap<string, string>;
}

/** Names that answers have and nobody tracks, and how the workspace file takes them up. */
export function namesTable(
  { onlyUnknown, names, total, nextCursor }: UntrackedNamesResponse,
  { timeRange, tracked }: ShownNames,
  terminal: Terminal,
): readonly string[] {
  const columns: readonly Column[] = [
    { heading: "name", align: "left", widthMin: 12 },
    { heading: "looks like", align: "left", widthMin: 8 },
    { heading: "answers", align: "right" },
    { heading: "prompts", align: "right" },
    { heading: "place", align: "right" },
    { heading: "domain", align: "left", widthMin: 8 },
  ];
  const rows = names.map(({ name, aliasOf, answers, prompts, meanPlace, domain }) => [
    { text: safeText(name) },
    { text: safeText(aliasOf === null ? "" : (tracked.get(aliasOf) ?? aliasOf)) },
    { text: answers.toLocaleString("en-GB") },
    { text: prompts.toLocaleString("en-GB") },
    { text: unitOf("rank").text(meanPlace) },
    { text: safeText(domain ?? "") },
  ]);
  return [
    styled(terminal, "bold", "Names that nobody tracks"),
    styled(terminal, "dim", rangesText({ timeRange, compared: null })),
    "",
    ...tableLines(terminal, columns, rows),
    "",
    ...[
      `${names.length} of ${total.toLocaleString("en-GB")} names, which may be brands`,
      `answers that name only such: ${unitOf("mentions").text(onlyUnknown.value)}`,
      "looks like: likely an alias. To track, to alias or to ignore one, edit the workspace file:",
      "competitors, aliases or ignoredNames; sightline apply --dry-run says what that changes",
      ...(nextCursor === null ? [] : [`next page: --cursor ${nextCursor}`]),
    ].map((line) => styled(terminal, "dim", line)),
  ];
}
