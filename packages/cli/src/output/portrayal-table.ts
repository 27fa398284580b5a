import type { InsightsSummaryResponse } from "@sightline/client";
import { portrayalFlags } from "@sightline/contract";
import {
  comparisonNotes,
  partCells,
  partColumns,
  rangesText,
  testedCells,
  testedColumns,
} from "./comparison-text.ts";
import { counted } from "./counted.ts";
import { comparedRecord, type Portrayed, portrayedIn, valueFields } from "./insight-records.ts";
import type { Fields } from "./records.ts";
import { safeText } from "./safe-text.ts";
import { rateText, type ShownSummary } from "./summary-table.ts";
import { type Cell, type Column, tableLines } from "./table.ts";
import { styled, type Terminal } from "./terminal.ts";
import { unitOf } from "./units.ts";

type Group = InsightsSummaryResponse["groups"][number];

/** What a flag is called. */
export const flagWords = {
  recommended: "recommended",
  praised: "praised",
  criticized: "criticized",
  discouraged: "discouraged",
  notFound: "not found",
} as const;

const nameColumn: Column = { heading: "", align: "left", widthMin: 8 };
const right = (heading: string): Column => ({ heading, align: "right" });
const units = unitOf("mentions");

/** How answers speak of each entity, as a table for each group; with a comparison by line. */
export function portrayalTable(
  reply: InsightsSummaryResponse,
  { parts, ...ranges }: ShownSummary,
  terminal: Terminal,
): readonly string[] {
  const all = reply.groups.flatMap(portrayedIn);
  const changes = all.flatMap(({ portrayal }) =>
    portrayalFlags.map((flag) => portrayal[flag].change),
  );
  const tests = reply.portrayalTests ?? null;
  const notes =
    ranges.compared === null
      ? ["in brackets: the 95 % interval; fewer than 6 effective prompts have none"]
      : comparisonNotes({ compare: reply.compare, tests, changes, ranges, parts });
  return [
    styled(terminal, "bold", "How answers speak of the brand and each competitor"),
    styled(terminal, "dim", rangesText(ranges)),
    ...reply.groups.flatMap((group) => [
      "",
      styled(terminal, "bold", safeText(group.name)),
      ...(ranges.compared === null
        ? valueLines(group, terminal)
        : changeLines(group, parts, terminal)),
      ...labelledLines(group, terminal),
    ]),
    "",
    ...[...notes, ...readerNotes(all)].map((line) => styled(terminal, "dim", line)),
  ];
}

function valueLines(group: Group, terminal: Terminal): readonly string[] {
  const columns = [
    nameColumn,
    right("read"),
    ...portrayalFlags.map((flag) => right(flagWords[flag])),
  ];
  const rows = portrayedIn(group).map(({ name, portrayal }): readonly Cell[] => [
    { text: safeText(name) },
    { text: String(portrayal.recommended.denominator) },
    ...portrayalFlags.map((flag) => ({ text: rateText(portrayal[flag]) })),
  ]);
  return tableLines(terminal, columns, rows);
}

function changeLines(group: Group, parts: boolean, terminal: Terminal): readonly string[] {
  const columns: readonly Column[] = [
    nameColumn,
    { heading: "", align: "left" },
    right("now"),
    ...(parts ? partColumns : []),
    ...testedColumns,
  ];
  const rows = portrayedIn(group).flatMap(({ name, portrayal }) =>
    portrayalFlags.map((flag, place): readonly Cell[] => {
      const { value, change } = portrayal[flag];
      return [
        { text: place === 0 ? safeText(name) : "" },
        { text: flagWords[flag] },
        { text: units.text(value) },
        ...(parts ? partCells(change, units) : []),
        ...testedCells(change, units),
      ];
    }),
  );
  return tableLines(terminal, columns, rows);
}

const labelledColumns: readonly Column[] = [
  nameColumn,
  { heading: "", align: "left" },
  right("by rules"),
  right("by labels"),
  right("labelled"),
  right("precision"),
  right("recall"),
  right("kappa"),
];

/** Each flag that was asked for by labels, and has any: how the reader does by them. */
function labelledLines(group: Group, terminal: Terminal): readonly string[] {
  const all = portrayedIn(group);
  const rows = all.flatMap(({ name, portrayal }) =>
    portrayalFlags.flatMap((flag): readonly (readonly Cell[])[] => {
      const { extraction, ...value } = portrayal[flag];
      if (extraction === undefined || extraction.labelled === 0) return [];
      const { labelled, precision, recall, kappa } = extraction;
      return [
        [
          { text: safeText(name) },
          { text: flagWords[flag] },
          { text: rateText(value) },
          { text: rateText(extraction) },
          { text: counted(labelled, "answer") },
          { text: units.text(precision) },
          { text: units.text(recall) },
          { text: kappa === null ? "" : kappa.toFixed(2) },
        ],
      ];
    }),
  );
  const isAsked = all.some(({ portrayal }) => portrayal.praised.extraction !== undefined);
  if (rows.length > 0) return ["", ...tableLines(terminal, labelledColumns, rows)];
  return isAsked ? ["", "No answer of these is labelled."] : [];
}

/** By whom the answers were read, and which could not be. */
function readerNotes(all: readonly Portrayed[]): readonly string[] {
  const [first] = all;
  if (first === undefined) return [];
  const { name, version } = first.portrayal.reader;
  const languages = new Set(
    all.flatMap(({ portrayal }) => portrayal.reader.language.map(({ language }) => language)),
  );
  const unread = all.reduce((sum, { portrayal }) => sum + portrayal.reader.unread, 0);
  const rough = roughFlags(all);
  return [
    "read: answers that mention it in a language that is read; a share is of these",
    `read by ${name} ${version}, in ${[...languages].sort().join(", ") || "no language"}` +
      (unread === 0 ? "" : `; ${counted(unread, "mention")} in answers that were not read`),
    ...(rough === "" ? [] : [`often wrong, read the answers instead: ${rough}`]),
  ];
}

/** The flags that are often wrong in a language. */
function roughFlags(all: readonly Portrayed[]): string {
  const rough = all.flatMap(({ portrayal }) =>
    portrayal.reader.language.flatMap(({ language, listOnly }) =>
      listOnly.map((flag) => `${flagWords[flag]} (${language})`),
    ),
  );
  return [...new Set(rough)].sort().join(", ");
}

/** A record for each flag: by group and entity, with by whom the answers were read. */
export function* portrayalRecords({ groups, compare }: InsightsSummaryResponse): Generator<Fields> {
  const compared = comparedRecord(compare);
  for (const group of groups) {
    const { key, name: groupName, answers, prompts } = group;
    for (const { id, name, portrayal } of portrayedIn(group)) {
      const { reader } = portrayal;
      const readBy = {
        reader: reader.name,
        readerVersion: reader.version,
        languages: reader.language.map(({ language }) => language).join(" "),
        unread: reader.unread,
      };
      for (const flag of portrayalFlags) {
        const of = { group: key, groupName, answers, prompts, id, name, metric: flag };
        yield { ...of, ...valueFields(portrayal[flag]), ...readBy, ...compared };
      }
    }
  }
}
