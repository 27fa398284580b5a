import type { InsightsSummaryResponse, PortrayalFlag } from "@sightline/client";
import { countOf, countText, intervalText, nothing, valueText } from "../../data/format.ts";
import { flagOf, flagTitles, providerName, regionName, surfaceName } from "../../data/names.ts";
import type { Cell } from "../../parts/csv.ts";
import type { ChangedMetric } from "../changes/change-text.ts";
import { measureText } from "./board-measure.ts";

/** What the cells show: a metric, the share of voice, or how often answers say something. */
export type HeatMeasure = ChangedMetric | PortrayalFlag;

/** What the cells show, in a word or two. */
export function heatTitle(measure: HeatMeasure): string {
  const flag = flagOf(measure);
  return flag === null ? measureText(measure as ChangedMetric).title : flagTitles[flag];
}

/** A value of an entity; undefined: the reply is without what answers say. */
function valueIn(entity: Entity, measure: HeatMeasure): Entity["mentions"] | undefined {
  const flag = flagOf(measure);
  if (flag !== null) return entity.portrayal?.[flag];
  return entity[measureText(measure as ChangedMetric).field];
}

/** By what the table's columns divide the answers. */
export const heatGroupings = ["provider", "model", "surface", "topic", "tag", "region"] as const;
/** One of them. */
export type HeatGrouping = (typeof heatGroupings)[number];

/** A column: answers that have something in common. */
export interface HeatGroup {
  /** Null: answers without it, or of which it is not known, by which no filter asks. */
  readonly key: string | null;
  readonly name: string;
  readonly answers: number;
}

/** The value of an entity in a group. */
export interface HeatCell {
  readonly group: HeatGroup;
  /** 43.6 %, or a rank of two places. */
  readonly text: string;
  /** By how many answers: n = 123. */
  readonly basis: string;
  /** How sure the value is, in words. */
  readonly sure: string;
  /** How strong its ground is, 0 to 1; null: without a value, or with too few prompts for one. */
  readonly strength: number | null;
}

/** A row: an entity in each group. */
export interface HeatRow {
  readonly id: string;
  readonly name: string;
  readonly isBrand: boolean;
  readonly cells: readonly HeatCell[];
}

/** What the table shows, and how much it leaves out. */
export interface Heat {
  readonly groups: readonly HeatGroup[];
  readonly rows: readonly HeatRow[];
  readonly groupsLeft: number;
}

/** Columns at most: those with the most answers. */
const groupsMax = 24;

type Entity = InsightsSummaryResponse["groups"][number]["entities"][number];

/** The table of a reply: the brand, then the competitors with the most hits. */
export function heatOf(
  { groupBy, groups }: Pick<InsightsSummaryResponse, "groupBy" | "groups">,
  measure: HeatMeasure,
): Heat {
  const most = groups
    .filter(({ answers }) => answers > 0)
    .toSorted((a, b) => b.answers - a.answers || (a.name < b.name ? -1 : 1));
  const shown = most.slice(0, groupsMax);
  const columns = shown.map(({ key, name, answers }) => {
    return { key, name: groupName(groupBy, key, name), answers };
  });
  const [brand, ...others] = shown[0]?.entities ?? [];
  const hits = new Map<string, number>();
  for (const { id, mentions } of shown.flatMap(({ entities }) => entities)) {
    hits.set(id, (hits.get(id) ?? 0) + mentions.numerator);
  }
  const listed = others.toSorted((a, b) => (hits.get(b.id) ?? 0) - (hits.get(a.id) ?? 0));
  const values = shown
    .flatMap(({ entities }) => entities.flatMap((each) => valueIn(each, measure) ?? []))
    .flatMap(({ value, flags }) => (value === null || isFew(flags) ? [] : [value]));
  const strengthOf = strengthWithin(measure, values);
  const cellOf = (entity: Entity | undefined, group: HeatGroup): HeatCell => {
    const found = entity === undefined ? undefined : valueIn(entity, measure);
    if (found === undefined) return { ...noCell, group };
    const { value, denominator, interval, flags } = found;
    const few = isFew(flags);
    const noun = measure === "rank" || measure === "shareOfVoice" ? "mention" : "answer";
    const bounds = intervalText(measure, interval);
    const known = bounds === null ? "" : `95 % interval ${bounds}`;
    return {
      group,
      text: valueText(measure, value),
      basis: `n = ${countText(denominator)}`,
      sure: [countOf(denominator, noun), few ? "too few prompts for an interval" : known]
        .filter((each) => each !== "")
        .join(", "),
      strength: value === null || few ? null : strengthOf(value),
    };
  };
  const rows = [...(brand === undefined ? [] : [brand]), ...listed].map(({ id, name }) => ({
    id,
    name,
    isBrand: id === brand?.id,
    cells: columns.map((group, index) =>
      cellOf(
        shown[index]?.entities.find((each) => each.id === id),
        group,
      ),
    ),
  }));
  return { groups: columns, rows, groupsLeft: most.length - shown.length };
}

const noCell = { text: nothing, basis: "", sure: "nothing measured", strength: null } as const;

const isFew = (flags: readonly string[]): boolean => flags.includes("insufficient");

/** The highest value, or the best rank, is the strongest. */
function strengthWithin(measure: HeatMeasure, values: readonly number[]) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (measure !== "rank") return (value: number) => (most > 0 ? value / most : 0);
  return (value: number) => (most > least ? (most - value) / (most - least) : 1);
}

const unknownTexts: Readonly<Record<string, string>> = {
  region: "No region",
  model: "Model not known",
  surface: "Surface not known",
  tag: "No tag",
};

function groupName(groupBy: string, key: string | null, name: string): string {
  if (key === null) return unknownTexts[groupBy] ?? "No topic";
  if (groupBy === "provider") return providerName(key);
  if (groupBy === "surface") return surfaceName(key);
  return groupBy === "region" ? regionName(key) : name;
}

/** A line for each group and entity, with the service's numbers. */
export function heatRecords(
  { groupBy, groups }: Pick<InsightsSummaryResponse, "groupBy" | "groups">,
  measure: HeatMeasure,
): readonly (readonly Cell[])[] {
  const field = flagOf(measure) ?? measureText(measure as ChangedMetric).field;
  const head = [groupBy, "name", "answers", "prompts", "entityId", "entity", field];
  const more = ["numerator", "denominator", "low", "high", "insufficient"];
  return [
    [...head, ...more],
    ...groups.flatMap(({ key, name, answers, prompts, entities }) =>
      entities.flatMap((entity) => {
        const found = valueIn(entity, measure);
        if (found === undefined) return [];
        const { value, numerator, denominator, interval, flags } = found;
        const cells: readonly Cell[] = [
          ...[key, groupName(groupBy, key, name), answers, prompts, entity.id, entity.name],
          ...[value, numerator, denominator, interval?.low ?? null, interval?.high ?? null],
          isFew(flags),
        ];
        return [cells];
      }),
    ),
  ];
}
