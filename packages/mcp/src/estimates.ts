import type { InsightsSummaryResponse } from "@sightline/client";
import {
  effectivePromptsMin,
  isPortrayalFlag,
  measurementSentences,
  type PortrayalFlag,
  strictObject,
  trendText,
} from "@sightline/contract";
import { z } from "zod";
import { beyondNotes } from "./covered-time.ts";
import { type Dimension, dimensions, type GroupsPage, groupsPage } from "./groups.ts";
import {
  differenceText,
  measures,
  nullNote,
  roleSchema,
  rounded,
  shownEntities,
  valueText,
} from "./measures.ts";
import { type Period, withinAnswered } from "./period.ts";
import {
  type FiltersOfSelection,
  filtersOf,
  filtersWithin,
  namesSchema,
  selectionSchema,
} from "./selection.ts";
import { promptCharactersMax, shownName, shownText } from "./shown-text.ts";
import type { ToolContext } from "./tool.ts";

/** The values of an entity over a whole period. */
export const estimatedMeasures = [...measures, "shareOfVoice"] as const;

/** One of the measures of an estimate. */
export type EstimatedMeasure = (typeof estimatedMeasures)[number];

/** A measure, or what answers say of an entity. */
type ShownMetric = EstimatedMeasure | PortrayalFlag;

/** The most entities of one reply, unless they are named. */
const entitiesMax = 10;

/** The arguments of a tool that gives values over whole periods. */
export const estimateFields = {
  by: z.enum(dimensions).default("none"),
  metrics: z
    .array(z.enum(estimatedMeasures))
    .min(1)
    .max(estimatedMeasures.length)
    .optional()
    .describe("Left out: all."),
  competitors: namesSchema.optional().describe("Names or ids. Default: nine."),
  filters: selectionSchema,
  offset: z.int().min(0).default(0).describe("Topics or prompts to skip."),
  facts: z.boolean().optional().describe("How it was measured."),
};

/** The entities of a reply. */
export const entitiesSchema = z.array(
  strictObject({ id: z.string(), name: z.string(), role: roleSchema }),
);

/** How topics or prompts go on. */
export const nextOffsetSchema = z.int().nullable().describe("Null: there are no more groups.");

type Reply = InsightsSummaryResponse;
type Group = Reply["groups"][number];

/** A value of an entity. */
type Value = Group["informative"];

/** What is asked. */
export interface EstimateQuestion {
  readonly by: Dimension;
  readonly metrics?: readonly ShownMetric[] | undefined;
  readonly competitors?: readonly string[] | undefined;
  readonly filters?: z.output<typeof selectionSchema>;
  readonly offset: number;
  readonly facts?: boolean | undefined;
  readonly period: Period;
  /** The period to compare with; null: nothing is compared. */
  readonly earlier: Period | null;
  /** How values rise or fall over weeks is asked for too. */
  readonly trend?: boolean;
}

/** A value with what it is of. */
export interface ShownValue extends Value {
  readonly entity: string;
  readonly metric: ShownMetric;
}

/** A group with the values that are shown, the brand's first. */
export interface ShownGroup {
  readonly group: string;
  readonly answers: number;
  readonly prompts: number;
  readonly informative: number | null;
  readonly values: readonly ShownValue[];
}

/** What the service says, as tools show it. */
export interface Estimates {
  readonly period: Period;
  readonly entities: z.output<typeof entitiesSchema>;
  readonly groups: readonly ShownGroup[];
  readonly page: GroupsPage;
  /** Where there are answers, if the period goes beyond; and why there is nothing. */
  readonly where: readonly string[];
  readonly notes: readonly string[];
  readonly reply: Pick<Reply, "tests" | "compare">;
  /** By what answers, in a paragraph; empty unless it was asked for. */
  readonly measured: readonly string[];
  /** Of the question, without those of a page of groups. */
  readonly filters: FiltersOfSelection;
  /** The brand and all competitors. */
  readonly tracked: readonly { readonly id: string; readonly name: string }[];
}

const noReply = { groups: [], tests: 0, empty: null } as const;

/** Asks for every value over a whole period, at the cost of two calls. */
export async function estimatesOf(
  context: ToolContext,
  {
    by,
    metrics = estimatedMeasures,
    competitors,
    offset,
    earlier,
    facts,
    trend,
    ...asked
  }: EstimateQuestion,
): Promise<Estimates> {
  const { sightline, signal, inTurns } = context;
  const workspace = await sightline.workspace({ signal });
  const known = { ...context, sightline: { ...sightline, workspace: async () => workspace } };
  const filters = await filtersOf(known, asked.filters);
  const page = groupsPage(by, workspace, { filters, offset });
  const period = withinAnswered(asked.period, workspace.answers);
  const compare = earlier === null ? {} : { compare: filtersWithin(earlier, page.filters) };
  const include = [
    ...(facts === true ? (["facts"] as const) : []),
    ...(trend === true ? (["trend"] as const) : []),
  ];
  const within = { ...filtersWithin(period, page.filters), ...compare };
  const portrayal = metrics.some(isPortrayalFlag);
  const question = {
    groupBy: by,
    portrayal,
    ...within,
    ...(include.length === 0 ? {} : { include }),
  };
  // Without any id a filter would not filter.
  const reply = page.isEmpty ? noReply : await sightline.insights.summary(question, { signal });
  const brandAndOthers = [workspace.brand, ...workspace.competitors].map(({ id, name }, place) => {
    return { id, name: shownName(name), role: place === 0 ? "brand" : "competitor" } as const;
  });
  const { shown, notes } = await shownEntities(brandAndOthers, {
    named: competitors,
    most: entitiesMax,
    inTurns,
  });
  const wanted = new Map(shown.map(({ id, name }) => [id, name]));
  const groups = reply.groups.map((group) => shownGroup(group, by, { wanted, metrics }));
  const values = groups.flatMap((group) => group.values);
  return {
    period,
    entities: [...shown],
    groups,
    page,
    reply,
    measured: "facts" in reply && reply.facts ? [paragraphOf(reply.facts)] : [],
    filters,
    tracked: [workspace.brand, ...workspace.competitors],
    where: [...emptyNotes(reply.empty), ...beyondNotes(workspace.answers, asked.period)],
    notes: [
      ...notes,
      ...moreNotes(by, offset, page),
      ...unsureNotes(values, earlier !== null),
      ...(values.some(({ value }) => value === null) ? [nullNote] : []),
    ],
  };
}

/** Names of models in it are as recorded, which is any text. */
function paragraphOf(facts: NonNullable<Reply["facts"]>): string {
  return shownText(measurementSentences(facts).join(" "), paragraphCharactersMax);
}

const paragraphCharactersMax = 2_000;

const fewNote =
  "Without low and high: fewer than 6 effective prompts, too few to say how sure it is.";

const alikeNote = "Without low and high: all prompts agree, which does not make it certain.";
const changedAlikeNote = "Without low and high: all prompts changed alike.";

/** Why numbers have no interval; where there is no number, none is missing. */
function unsureNotes(values: readonly Value[], isCompared: boolean): readonly string[] {
  const unsure = values
    .map(({ change, ...value }) => (isCompared ? change : value))
    .filter((each) => each !== undefined && each.value !== null && each.interval === null);
  const isFew = unsure.map((each) => (each?.effectivePrompts ?? 0) < effectivePromptsMin);
  return [
    ...(isFew.includes(true) ? [fewNote] : []),
    ...(isFew.includes(false) ? [isCompared ? changedAlikeNote : alikeNote] : []),
  ];
}

interface Wanted {
  /** The names of the entities by their ids. */
  readonly wanted: ReadonlyMap<string, string>;
  readonly metrics: readonly ShownMetric[];
}

function shownGroup(
  { name, answers, prompts, informative, entities }: Group,
  by: Dimension,
  { wanted, metrics }: Wanted,
): ShownGroup {
  const group = by === "prompt" ? shownText(name, promptCharactersMax) : shownName(name);
  const values = entities.flatMap(({ id, name: _, ...own }) => {
    const entity = wanted.get(id);
    if (entity === undefined) return [];
    return metrics.flatMap((metric): readonly ShownValue[] => {
      const value = isPortrayalFlag(metric) ? own.portrayal?.[metric] : own[metric];
      return value === undefined ? [] : [{ ...value, entity, metric }];
    });
  });
  return { group, answers, prompts, informative: rounded(informative.value), values };
}

function moreNotes(by: Dimension, offset: number, page: GroupsPage): readonly string[] {
  const { total, nextOffset, ungrouped } = page;
  if (page.isEmpty) return [`There are ${total} such ${by}s, none from ${offset} on.`];
  const left = `Prompts without a topic are in no group: ${ungrouped}.`;
  const range = `${offset + 1} to ${nextOffset} of ${total}`;
  return [
    ...(ungrouped > 0 ? [left] : []),
    ...(nextOffset === null ? [] : [`Asked for ${by}s ${range}. The next: offset ${nextOffset}.`]),
  ];
}

const reasons: Readonly<Record<string, string>> = {
  outsideRange: "No answer lies in this period.",
  notTrackedThen: "Answers pass these filters, but not in this period.",
  filteredOut: "No answer passes these filters.",
  uninformative: "No answer names the brand or a competitor.",
};

/** Why a reply has nothing to say. */
export function emptyNotes(empty: Reply["empty"]): readonly string[] {
  const reason = empty === null ? undefined : reasons[empty.reason];
  return reason === undefined ? [] : [reason];
}

/** Of one group each entity, else the brand in each group: the first metric alone, for a gist. */
export function partsOf(by: Dimension, groups: readonly ShownGroup[]): readonly string[] {
  // No prompt is named here: its text stays in its field.
  if (by === "prompt") return [`${groups.length} prompts have answers`];
  const [group] = groups;
  const first = group?.values[0];
  if (group === undefined || first === undefined) return [];
  if (groups.length > 1) {
    return groups.map(({ group: name, values: [brand] }) => `${name}: ${sentence(brand)}`);
  }
  return group.values
    .filter(({ metric }) => metric === first.metric)
    .map((each) => `${each.entity}: ${sentence(each)}`);
}

function sentence(each: ShownValue | undefined): string {
  if (each === undefined) return "no data";
  const { metric, value, change, trend } = each;
  const now = [
    `${metric} ${valueText(metric, value)}`,
    ...(trend === undefined ? [] : [trendText(metric, trend)]),
  ].join(", ");
  const whole = change?.value;
  if (whole === null || whole === undefined) return now;
  const likeForLike = change?.parts?.likeForLike;
  const difference =
    likeForLike === undefined
      ? `${differenceText(metric, whole)} with other prompts`
      : `${differenceText(metric, likeForLike)} like for like`;
  return `${now}, ${difference}, ${verdictOf(change) ?? "no verdict"}`;
}

/** Of a discontinuous change also that of the providers that stayed. */
export function verdictOf(change: ShownValue["change"]): string | null {
  const verdict = change?.verdict ?? null;
  if (change?.continuing === undefined) return verdict;
  if (change.continuing === null) return `${verdict}; no provider stayed`;
  return `${verdict}; of the providers that stayed: ${change.continuing.verdict ?? "no verdict"}`;
}
