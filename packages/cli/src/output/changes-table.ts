import type { InsightsChangesResponse } from "@sightline/client";
import {
  type ComparedRanges,
  comparisonNotes,
  intervalText,
  probabilityText,
  rangesText,
  verdictText,
} from "./comparison-text.ts";
import { counted } from "./counted.ts";
import type { AnswersCommands } from "./insight-records.ts";
import { safeText } from "./safe-text.ts";
import { type Cell, type Column, tableLines } from "./table.ts";
import { styled, type Terminal } from "./terminal.ts";
import { type Unit, unitOf } from "./units.ts";

type Reply = InsightsChangesResponse;
type Side = Reply["rest"]["before"];

/** What a table of contributions is about. */
export interface ShownChanges {
  /** The name of the entity. */
  readonly entity: string;
  readonly ranges: ComparedRanges;
  readonly commands: AnswersCommands;
}

/** The metrics in words. */
export const metricWords: Readonly<Record<Reply["metric"], string>> = {
  mentions: "mentions",
  visibility: "visibility",
  citations: "citations",
  rank: "rank",
  shareOfVoice: "share of voice",
  recommended: "recommended",
  praised: "praised",
  criticized: "criticized",
  discouraged: "discouraged",
  notFound: "not found",
};

const nameColumn: Column = { heading: "", align: "left", widthMin: 12 };
const columns: readonly Column[] = [
  nameColumn,
  { heading: "before", align: "right" },
  { heading: "", align: "left" },
  { heading: "after", align: "right" },
  { heading: "contribution", align: "right" },
  { heading: "within", align: "right" },
  { heading: "mix", align: "right" },
];

/** What a change consists of: its parts, its verdict, and what contributes to it. */
export function changesTable(
  reply: Reply,
  { entity, ranges, commands }: ShownChanges,
  terminal: Terminal,
): readonly string[] {
  const { metric, by, contributions, rest, change, compare } = reply;
  const unit = unitOf(metric === "rank" ? "rank" : "mentions");
  const rows = contributions.map((each) => rowOf(safeText(each.name), each, unit));
  const left = rest.contributions === 0 ? [] : [rowOf(restName(by, rest), rest, unit)];
  const notes = comparisonNotes({ tests: null, compare, changes: [change], ranges, parts: true });
  return [
    styled(terminal, "bold", `What the change of ${metricWords[metric]} consists of`),
    styled(terminal, "dim", `${safeText(entity)}; ${rangesText(ranges)}`),
    "",
    ...changeLines(reply, unit),
    "",
    ...(rows.length === 0 ? [] : [...tableLines(terminal, columns, [...rows, ...left]), ""]),
    ...[
      "contribution = within (other values of its own) + mix (another share of the answers); all",
      "of them add up to the change. A contribution is not a test: it has no p and no verdict",
      ...notes,
    ].map((line) => styled(terminal, "dim", line)),
    ...answerLines(reply, commands, terminal),
  ];
}

function restName(by: Reply["by"], { contributions }: Reply["rest"]): string {
  return `rest: ${counted(contributions, by)}`;
}

function changeLines({ value, change }: Reply, unit: Unit): readonly string[] {
  const { parts } = change;
  if (value === null) return ["no change: a range has no value"];
  const text = unit.differenceText;
  const whole = `change ${text(value)}`;
  const line =
    parts === null
      ? `${whole}; no prompt has answers in both ranges`
      : `${whole} = ${text(parts.likeForLike)} like for like, ${text(parts.mix)} mix, ` +
        `${text(parts.promptsAdded)} prompts added, ${text(parts.promptsRemoved)} prompts removed`;
  const interval = intervalText(change.interval, unit);
  const sure = `interval ${interval}, p ${probabilityText(change.p)}`;
  return [line, `like for like: ${sure}: ${verdictText(change, unit)}`];
}

function rowOf(
  name: string,
  each: Omit<Reply["contributions"][number], "key" | "name">,
  unit: Unit,
): readonly Cell[] {
  const { value, within, mix, before, after } = each;
  return [
    { text: name },
    { text: sideText(before, unit) },
    { text: "→" },
    { text: sideText(after, unit) },
    ...[value, within, mix].map((part) => ({ text: unit.differenceText(part) })),
  ];
}

/** Such as `30.0% (12/40)`. An answer that cites several domains gives each a part of it. */
function sideText({ value, numerator, denominator }: Side, unit: Unit): string {
  const count = Number.isInteger(numerator) ? String(numerator) : numerator.toFixed(1);
  return `${unit.text(value)} (${count}/${denominator})`;
}

/** The commands that show the answers of both ranges, and the filter of each contribution. */
function answerLines(
  { contributions }: Reply,
  { before, after, filterOf }: AnswersCommands,
  terminal: Terminal,
): readonly string[] {
  const rows = contributions.flatMap(({ key, name }) => {
    const filter = filterOf(key);
    return filter === null ? [] : [[{ text: safeText(name) }, { text: safeText(filter) }]];
  });
  if (rows.length === 0) return [];
  const filters = tableLines(terminal, [nameColumn, { heading: "filter", align: "left" }], rows);
  return [
    "",
    styled(terminal, "dim", "The answers of each: one of these commands with its filter"),
    `before: ${before}`,
    `after:  ${after}`,
    ...filters,
  ];
}
