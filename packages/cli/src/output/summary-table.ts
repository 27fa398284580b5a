import type { InsightsSummaryResponse } from "@sightline/client";
import {
  type ComparedRanges,
  comparisonNotes,
  rangesText,
  verdictCells,
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

/** A summary as a table for each group; with a comparison, a line for each change. */
export function summaryTable(
  reply: InsightsSummaryResponse,
  ranges: ComparedRanges,
  terminal: Terminal,
): readonly string[] {
  const changes = ranges.compared !== null;
  const legend = changes
    ? ["interval: that of the change, 95 %", ...comparisonNotes(reply)]
    : ["in brackets: the 95 % interval; fewer than 5 prompts have none"];
  return [
    styled(terminal, "bold", "The brand and each competitor"),
    styled(terminal, "dim", rangesText(ranges)),
    ...reply.groups.flatMap((group) => ["", ...groupLines(group, changes, terminal)]),
    "",
    ...legend.map((line) => styled(terminal, "dim", line)),
  ];
}

function groupLines(group: Group, changes: boolean, terminal: Terminal): readonly string[] {
  const { name, answers, prompts, informative, stability } = group;
  const share = unitOf("mentions").text(informative.value);
  const given = `${counted(answers, "answer")} to ${counted(prompts, "prompt")}`;
  const counts = `${given}, ${share} name an entity`;
  const alike = stability === undefined ? "" : `; ${stabilityText(stability)}`;
  const heading = `${styled(terminal, "bold", safeText(name))}: ${counts}${alike}`;
  return [heading, ...(changes ? changeLines(group, terminal) : valueLines(group, terminal))];
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
function valueText(metric: Metric, { value, interval }: Value): string {
  const text = unitsOf(metric).text(value);
  const isPoint = metric === "rank" && interval?.low === interval?.high;
  return interval === null || isPoint ? text : `${text} (${boundsText(metric, interval)})`;
}

/** The bounds to as many digits as tell them apart. */
function boundsText(metric: Metric, { low, high }: NonNullable<Value["interval"]>): string {
  const [scale, fewest] = metric === "rank" ? [1, 1] : [100, 0];
  const isNarrow = (high - low) * scale < 2 * 10 ** -fewest;
  const digits = isNarrow ? fewest + 1 : fewest;
  return [low, high].map((bound) => (bound * scale).toFixed(digits)).join("–");
}

function changeLines({ entities }: Group, terminal: Terminal): readonly string[] {
  const columns = [
    nameColumn,
    { heading: "", align: "left" } as const,
    ...["now", "change", "interval", "p"].map(right),
    { heading: "verdict", align: "left" } as const,
  ];
  const rows = entities.flatMap((entity) =>
    summaryMetrics.map((metric, place): readonly Cell[] => {
      const { value, change } = entity[metric];
      const units = unitsOf(metric);
      const bounds = change?.interval;
      const interval =
        bounds === null || bounds === undefined
          ? "–"
          : `${units.differenceText(bounds.low)} to ${units.differenceText(bounds.high)}`;
      return [
        { text: place === 0 ? safeText(entity.name) : "" },
        { text: headings[metric] },
        { text: units.text(value) },
        { text: units.differenceText(change?.value ?? null) },
        { text: interval },
        ...verdictCells(change),
      ];
    }),
  );
  return tableLines(terminal, columns, rows);
}
