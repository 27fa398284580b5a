import {
  type InsightsSeriesResponse,
  type Interval,
  type MetricName,
  metrics,
  type PortrayalFlag,
} from "@sightline/contract";
import { z } from "zod";
import type { MeasuredBucket } from "./covered-time.ts";
import { type NameKind, namedBy } from "./names.ts";
import type { Period } from "./period.ts";
import { type FiltersOfSelection, filtersWithin } from "./selection.ts";
import { nameCharactersMax, shownName } from "./shown-text.ts";
import type { InTurns, ToolContext } from "./tool.ts";

/** The metrics, with the client's names. */
export const measures = ["visibility", "mentions", "citations", "rank"] as const;

/** One of the metrics. */
export type Measure = (typeof measures)[number];

/** A metric as an argument. */
export const measureSchema = z
  .enum(measures)
  .describe(
    "visibility: share of answers that mention or cite the entity. mentions, citations: its " +
      "parts. rank: mean place of first mention, 1 is first.",
  );

/** A value of a metric in a reply. */
export const valueSchema = z
  .number()
  .nullable()
  .describe("Null: nothing was measured (no answers, or for rank no mention). It is not 0.");

const metricOf: Readonly<Record<Measure, MetricName>> = {
  visibility: "overall-visibility",
  mentions: "mentions",
  citations: "citations",
  rank: "rank",
};

/** The contract's description of a metric. */
export function metricOfMeasure(measure: Measure) {
  return metrics[metricOf[measure]];
}

/** Whose series it is. */
export const roleSchema = z.enum(["brand", "competitor"]);

/** One entity's values of one metric. */
export interface EntitySeries {
  readonly id: string;
  /** In a form that is safe to show. */
  readonly name: string;
  readonly role: z.infer<typeof roleSchema>;
  readonly data: InsightsSeriesResponse["series"][number]["data"];
}

/** A query of one metric. */
export interface MeasureQuestion {
  readonly measure: Measure;
  readonly interval: Interval;
  readonly period: Period;
  readonly filters: FiltersOfSelection;
}

/** Makes one query: the series of all tracked entities, the brand first. */
export async function entitySeries(
  { sightline, signal }: ToolContext,
  { measure, interval, period, filters }: MeasureQuestion,
): Promise<readonly EntitySeries[]> {
  const request = { interval, ...filtersWithin(period, filters) };
  const question = { metric: metricOf[measure], ...request };
  const reply = await sightline.insights.series(question, { signal });
  return reply.series.map(({ id, name, data }, index) => ({
    id,
    name: shownName(name),
    role: index === 0 ? "brand" : "competitor",
    data,
  }));
}

/** The buckets of series, and which of them have no value of any entity. */
export function measuredBuckets(
  all: readonly Pick<EntitySeries, "data">[],
): readonly MeasuredBucket[] {
  const buckets = all[0]?.data ?? [];
  return buckets.map(({ timestamp }, index) => ({
    startMs: Date.parse(timestamp),
    isEmpty: all.every(({ data }) => data[index]?.value === null),
  }));
}

/** How tracked entities are named. */
export const entityKind: NameKind<Pick<EntitySeries, "id" | "name">> = {
  singular: "tracked entity",
  nameOf: ({ name }) => name,
  advice: "describe_workspace lists the brand and its competitors.",
  charactersMax: nameCharactersMax,
};

/** The shown part of all series, and a note about those that are left out. */
export interface ShownEntities<Item> {
  readonly shown: readonly Item[];
  readonly notes: readonly string[];
}

/** Which entities to show. */
export interface WantedEntities {
  /** Names or ids; empty or omitted: the first of all. */
  readonly named: readonly string[] | undefined;
  /** The maximum number that is shown unless they are named. */
  readonly most: number;
  readonly inTurns: InTurns;
}

/**
 * The brand and the named entities; without names, the first of all.
 * @throws ToolFault when a name is unknown.
 */
export async function shownEntities<Item extends Pick<EntitySeries, "id" | "name" | "role">>(
  all: readonly Item[],
  { named, most, inTurns }: WantedEntities,
): Promise<ShownEntities<Item>> {
  if (named !== undefined && named.length > 0) {
    const wanted = new Set<string>();
    for (const text of named) {
      wanted.add((await namedBy(text, { kind: entityKind, known: all, inTurns })).id);
    }
    const shown = all.filter(({ id, role }) => role === "brand" || wanted.has(id));
    return { shown, notes: [] };
  }
  const shown = all.slice(0, most);
  if (shown.length === all.length) return { shown, notes: [] };
  const left = all.length - shown.length;
  const note =
    `${left} of ${all.length} tracked entities are left out. ` +
    "Name those that you want in `competitors`; describe_workspace lists them.";
  return { shown, notes: [note] };
}

/** Less than this is what calculating with fractions leaves of 0. */
const leastValue = 1e-6;

/**
 * To a tenth of a per cent, or a thousandth of a place. What is less keeps one digit: 0 says that
 * nothing was counted, and 4 of 10,000 answers are not nothing.
 */
export function rounded(value: number | null | undefined): number | null {
  if (value === null || value === undefined) return null;
  const short = Number(value.toFixed(3));
  return short !== 0 || Math.abs(value) < leastValue ? short : Number(value.toPrecision(1));
}

/** A p, which is never 0: in single digits, however little it is. */
export function roundedP(p: number | null | undefined): number | null {
  if (p === null || p === undefined) return null;
  return p < leastValue ? Number(p.toPrecision(1)) : rounded(p);
}

/** A value in a sentence: a percentage, a rank, or that there is none. */
export function valueText(
  measure: Measure | "shareOfVoice" | PortrayalFlag,
  value: number | null,
): string {
  if (value === null) return "no data";
  if (value > 0 && value < 0.0005) return "under 0.1 %";
  return measure === "rank" ? `place ${value.toFixed(2)}` : `${(value * 100).toFixed(1)} %`;
}

/** A difference in a sentence, with its sign: percentage points, or places. */
export function differenceText(
  measure: Measure | "shareOfVoice" | PortrayalFlag,
  difference: number,
): string {
  const [size, unit] = measure === "rank" ? [difference, "places"] : [difference * 100, "points"];
  const text = size.toFixed(measure === "rank" ? 2 : 1);
  // -0.04 is shown as 0.0: a sign would tell of a fall that the figure does not show.
  if (Number(text) === 0) return `${text.replace("-", "")} ${unit}`;
  return `${size > 0 ? "+" : ""}${text} ${unit}`;
}

/** The note for values that are null. */
export const nullNote =
  "null means that nothing was measured there (no answers; for rank, no mention). It is not 0.";

/** The maximum number of parts of a gist: it is read beside the data, not instead of it. */
const gistPartsMax = 5;

/** The first parts of a list in a sentence, and how many more there are. */
export function gist(parts: readonly string[]): string {
  const left = parts.length - gistPartsMax;
  return [...parts.slice(0, gistPartsMax), ...(left > 0 ? [`and ${left} more`] : [])].join("; ");
}
