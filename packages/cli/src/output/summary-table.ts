import type { InsightsSummaryResponse } from "@sightline/client";
import {
  type ComparedRanges,
  comparisonNotes,
  intervalText,
  partCells,
  partColumns,
  probabilityText,
  rangesText,
  testedCells,
  testedColumns,
} from "./comparison-text.ts";
import { counted } from "./counted.ts";
import { summaryMetrics } from "./insight-records.ts";
import { safeText } from "./safe-text.ts";
import { type Cell, type Column, tableLines } from "./table.ts";
import { styled, type Terminal } from "./terminal.ts";
import { unitOf } from "./units.ts";

type Group = InsightsSummaryResponse["groups"][number];
type Value = Group["informative"];
type Metric = (typeof summaryMetrics)[number];

const headings: Readonly<Record<Metric, string>> = {
  mentions: "mentioned",
  visibility: "visible",
  citations: "cited",
  rank: "rank",
  shareOfVoice: "voice",
};

const nameColumn: Column = { heading: "", align: "left", widthMin: 8 };
const right = (heading: string): Column => ({ heading, align: "right" });
const unitsOf = (metric: Metric) => unitOf(metric === "rank" ? "rank" : "mentions");

/** The ranges of a summary, and whether the parts of its changes are shown. */
export interface ShownSummary extends ComparedRanges {
  readonly parts: boolean;
}

/** A summary as a table for each group; with a comparison, a line for each change. */
export function summaryTable(
  reply: InsightsSummaryResponse,
  shown: ShownSummary,
  terminal: Terminal,
): readonly string[] {
  const { parts, ...ranges } = shown;
  const changes = reply.groups.flatMap(({ entities }) =>
    entities.flatMap((entity) => summaryMetrics.map((metric) => entity[metric].change)),
  );
  const legend =
    ranges.compared === null
      ? ["in brackets: the 95 % interval; fewer than 6 effective prompts have none"]
      : comparisonNotes({ ...reply, changes, ranges, parts });
  return [
    styled(terminal, "bold", "The brand and each competitor"),
    styled(terminal, "dim", rangesText(ranges)),
    ...reply.groups.flatMap((group) => [
      "",
      ...groupLines(group, shown, terminal),
      ...trendLines(group, terminal),
    ]),
    "",
    ...[...legend, ...trendNotes(reply)].map((line) => styled(terminal, "dim", line)),
  ];
}

function groupLines(group: Group, shown: ShownSummary, terminal: Terminal): readonly string[] {
  const { name, answers, prompts, informative, stability } = group;
  const share = unitOf("mentions").text(informative.value);
  const given = `${counted(answers, "answer")} to ${counted(prompts, "prompt")}`;
  const counts = `${given}, ${share} name an entity`;
  const alike = stability === undefined ? "" : `; ${stabilityText(stability)}`;
  const heading = `${styled(terminal, "bold", safeText(name))}: ${counts}${alike}`;
  const labelled = labelledLines(group, terminal);
  if (shown.compared === null) return [heading, ...valueLines(group, terminal), ...labelled];
  return [heading, ...changeLines(group, shown.parts, terminal), ...labelled];
}

const labelledColumns: readonly Column[] = [
  nameColumn,
  { heading: "", align: "left" },
  right("extracted"),
  right("by labels"),
  right("labelled"),
  right("missed"),
  right("wrong"),
];

/** Each value that was asked for by labels, and has any: a line beside what extraction says. */
function labelledLines({ entities }: Group, terminal: Terminal): readonly string[] {
  const rows = entities.flatMap((entity) =>
    (["mentions", "citations"] as const).flatMap((metric): readonly (readonly Cell[])[] => {
      const { extraction, ...value } = entity[metric];
      if (extraction === undefined || extraction.labelled === 0) return [];
      const { labelled, labelledPrompts, missed, wrong } = extraction;
      return [
        [
          { text: safeText(entity.name) },
          { text: headings[metric] },
          { text: valueText(metric, value) },
          { text: valueText(metric, extraction) },
          { text: `${counted(labelled, "answer")} to ${counted(labelledPrompts, "prompt")}` },
          { text: String(missed) },
          { text: String(wrong) },
        ],
      ];
    }),
  );
  const isAsked = entities.some(({ mentions }) => mentions.extraction !== undefined);
  if (rows.length > 0) return ["", ...tableLines(terminal, labelledColumns, rows)];
  return isAsked ? ["", "No answer of these is labelled."] : [];
}

function stabilityText({ value, pairs }: NonNullable<Group["stability"]>): string {
  const number = counted(pairs, "pair");
  if (value === null) return `too few to say how stable sources are: ${number}`;
  return `sources ${unitOf("mentions").text(value)} stable over ${number}`;
}

function valueLines({ entities }: Group, terminal: Terminal): readonly string[] {
  const columns = [nameColumn, ...summaryMetrics.map((metric) => right(headings[metric]))];
  const rows = entities.map((entity): readonly Cell[] => [
    { text: safeText(entity.name) },
    ...summaryMetrics.map((metric) => ({ text: valueText(metric, entity[metric]) })),
  ]);
  return tableLines(terminal, columns, rows);
}

/** Such as `42.1% (38–46)`. Equal ranks leave no width, and that is not certainty. */
function valueText(metric: Metric, { value, interval }: Pick<Value, "value" | "interval">) {
  const text = unitsOf(metric).text(value);
  const isPoint = metric === "rank" && interval?.low === interval?.high;
  return interval === null || isPoint ? text : `${text} (${boundsText(metric, interval)})`;
}

/** A rate with its interval. */
export function rateText(value: Pick<Value, "value" | "interval">): string {
  return valueText("mentions", value);
}

/** The bounds to as many digits as tell them apart. */
function boundsText(metric: Metric, { low, high }: NonNullable<Value["interval"]>): string {
  const [scale, fewest] = metric === "rank" ? [1, 1] : [100, 0];
  const isNarrow = (high - low) * scale < 2 * 10 ** -fewest;
  const digits = isNarrow ? fewest + 1 : fewest;
  return [low, high].map((bound) => (bound * scale).toFixed(digits)).join("–");
}

function changeLines({ entities }: Group, parts: boolean, terminal: Terminal): readonly string[] {
  const columns: readonly Column[] = [
    nameColumn,
    { heading: "", align: "left" },
    right("now"),
    ...(parts ? partColumns : []),
    ...testedColumns,
  ];
  const rows = entities.flatMap((entity) =>
    summaryMetrics.map((metric, place): readonly Cell[] => {
      const { value, change } = entity[metric];
      const units = unitsOf(metric);
      return [
        { text: place === 0 ? safeText(entity.name) : "" },
        { text: headings[metric] },
        { text: units.text(value) },
        ...(parts ? partCells(change, units) : []),
        ...testedCells(change, units),
      ];
    }),
  );
  return tableLines(terminal, columns, rows);
}

const trendColumns: readonly Column[] = [
  nameColumn,
  { heading: "", align: "left" },
  right("a week"),
  right("interval"),
  right("p"),
  { heading: "trend", align: "left" },
  right("weeks"),
];

const noTrend = "too few weeks";

/** How each value rises or falls; nothing where it was not asked for. */
function trendLines({ entities }: Group, terminal: Terminal): readonly string[] {
  const rows = entities.flatMap((entity) =>
    summaryMetrics.flatMap((metric, place) => {
      const { trend } = entity[metric];
      if (trend === undefined) return [];
      const name = [{ text: place === 0 ? safeText(entity.name) : "" }, { text: headings[metric] }];
      return [[...name, ...trendCells(trend, metric)]];
    }),
  );
  return rows.length === 0 ? [] : ["", ...tableLines(terminal, trendColumns, rows)];
}

function trendCells(trend: NonNullable<Value["trend"]> | null, metric: Metric): readonly Cell[] {
  const units = unitsOf(metric);
  return [
    { text: units.differenceText(trend?.slope ?? null) },
    { text: intervalText(trend?.interval ?? null, units) },
    { text: probabilityText(trend?.adjustedP ?? null) },
    { text: trend?.verdict ?? noTrend },
    { text: trend === null ? "" : String(trend.weeks) },
  ];
}

function trendNotes({ groups }: InsightsSummaryResponse): readonly string[] {
  const trends = groups.flatMap(({ entities }) =>
    entities.flatMap((entity) => summaryMetrics.map((metric) => entity[metric].trend)),
  );
  if (trends.every((trend) => trend === undefined)) return [];
  return [
    "trend: of the prompts with answers in all of the last whole weeks (UTC, from Monday) with",
    "the same models and surfaces; p is adjusted for the reply's trends",
    ...(trends.includes(null)
      ? [`${noTrend}: fewer than 5 of them, or no such prompt; a longer range: --from 12w`]
      : []),
  ];
}
