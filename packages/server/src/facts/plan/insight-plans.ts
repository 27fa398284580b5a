import { type ChangesMetricName, portrayalFlags } from "@sightline/contract";
import type { NumberColumns } from "../../platform/sql.ts";
import {
  appearanceRollups,
  type Codes,
  countsOf,
  type FilterColumn,
  noRollup,
  type PortrayalMeasure,
  type RollupChoice,
  type RowSelection,
  rowsOf,
} from "./plan.ts";
import type { Selection } from "./question.ts";

/**
 * A column that answers are grouped by. Models have numbers of 32 bits, which do not fit beside a
 * prompt's: theirs are their places in the list, from 1, and 0 where it lacks them.
 */
export type GroupedBy =
  | Exclude<FilterColumn, "model">
  | { readonly models: readonly number[] }
  | TagSets;

/**
 * Answers by the tags of their prompts. A prompt may have several tags, and engines sum each answer
 * once: by the set of tags that its prompt has.
 */
export interface TagSets {
  /** The number of a prompt's set, at the prompt's number; 0, and beyond the list: no tags. */
  readonly sets: readonly number[];
  /** The numbers of a set's tags, at the set's number. Engines do not need them. */
  readonly members: readonly (readonly number[])[];
}

/** What sums by prompt are of. */
export interface PromptSumsOf {
  /** Null: all answers are one group. */
  readonly groupBy: GroupedBy | null;
  /** The numbers of the entities with sums of their own; null: all. */
  readonly listed: readonly number[] | null;
  /** Whether each week has sums of its own. */
  readonly byWeek: boolean;
  /** Whether there are sums of what is said of the entities. */
  readonly withPortrayal: boolean;
}

/** How sums by prompt are computed from the facts. */
export interface PromptSumsPlan extends PromptSumsOf {
  readonly choice: RollupChoice;
  readonly rows: RowSelection;
  /** No more rows are read. */
  readonly rowsMax: number;
}

/**
 * Prompts of a group that count on one side of a comparison only, as `promptKey` has them: those
 * with answers, those with mentions, and those that mention an entity, as `entityKey` has it, at
 * all or in answers that were read for what they say of it.
 */
export interface OneSided {
  readonly asked: readonly bigint[];
  readonly voiced: readonly bigint[];
  readonly named: readonly bigint[];
  readonly read: readonly bigint[];
}

/** How sums by provider and region are computed, of the prompts that both sides have. */
export interface PairSumsPlan extends PromptSumsPlan {
  readonly oneSided: OneSided;
}

/** How the models and surfaces behind answers are found. */
export interface OriginsPlan {
  readonly rows: RowSelection;
  readonly groupBy: GroupedBy | null;
  /** Whether each week has its own. */
  readonly byWeek: boolean;
  /** No more rows are read. */
  readonly rowsMax: number;
}

/** Which answers are looked up with what extraction says of them. */
export interface ReadingsPlan {
  readonly rows: RowSelection;
  readonly groupBy: GroupedBy | null;
  /** Of the answers. */
  readonly sequences: readonly number[];
  /** The numbers of the entities. */
  readonly entities: readonly number[];
}

/**
 * What extraction says of an answer and an entity that is visible in it. Entity 0 is the answer
 * itself, which passes the filters.
 */
export interface AnswerReading
  extends Pick<EntitySums, "group" | "entity">,
    Readonly<Record<PortrayalMeasure, number>> {
  readonly sequence: number;
  readonly prompt: number;
  /** 0 or 1, as what is said. */
  readonly mentioned: number;
  readonly cited: number;
}

/** How consecutive answers are compared by what they cite. */
export interface StabilityPlan {
  /** Citations. */
  readonly rows: RowSelection;
  /** The same answers, by appearances. */
  readonly answers: RowSelection;
  readonly groupBy: GroupedBy | null;
}

/** The most rows of sums by prompt: some 50 MB of memory. */
export const promptSumsMax = 500_000;

/** The plan of sums by prompt; null when no row can pass the filters. */
export function planPromptSums(
  selection: Selection,
  { groupBy, listed, byWeek, withPortrayal }: PromptSumsOf,
  codes: Codes,
): PromptSumsPlan | null {
  const rows = rowsOf(selection, "appearances", codes);
  const choice = noRollup(appearanceRollups, "sums_by_prompt");
  const of = { groupBy, listed, byWeek, withPortrayal };
  return rows && { choice, rows, ...of, rowsMax: promptSumsMax };
}

/** How sums by day are computed from the facts. */
export interface DaySumsPlan extends PromptSumsPlan {
  /** The rows that are summed: of a rollup, where it keeps all that is asked for. */
  readonly summed: RowSelection;
}

/** The plan of sums by day; null when no row can pass the filters. */
export function planDaySums(
  selection: Selection,
  of: PromptSumsOf,
  codes: Codes,
): DaySumsPlan | null {
  const plan = planPromptSums(selection, of, codes);
  // No rollup knows a group, or what is said of an entity.
  const isPlain = of.groupBy === null && !of.withPortrayal;
  return plan && { ...plan, summed: isPlain ? countsOf(selection, plan.rows).rows : plan.rows };
}

/** How the languages of an entity's answers are counted. */
export interface LanguagesPlan {
  readonly rows: RowSelection;
  readonly groupBy: GroupedBy | null;
  /** The numbers of the entities that are counted; null: all. */
  readonly listed: readonly number[] | null;
  /** No more rows are read. */
  readonly rowsMax: number;
}

/** The plan of languages; null when no row can pass the filters, or no entity is listed. */
export function planLanguages(
  selection: Selection,
  { groupBy, listed }: Pick<LanguagesPlan, "groupBy" | "listed">,
  codes: Codes,
): LanguagesPlan | null {
  if (listed?.length === 0) return null;
  const rows = rowsOf(selection, "appearances", codes);
  return rows && { rows, groupBy, listed, rowsMax: promptSumsMax };
}

/** Answers of a group that mention an entity, by the language in which they were read. */
export interface LanguageCount extends Pick<EntitySums, "group" | "entity"> {
  /** 0: they were not read. */
  readonly language: number;
  readonly answers: number;
}

/** The plan of origins; null when no row can pass the filters. */
export function planOrigins(
  selection: Selection,
  { groupBy, byWeek }: Pick<OriginsPlan, "groupBy" | "byWeek">,
  codes: Codes,
): OriginsPlan | null {
  const rows = rowsOf(selection, "appearances", codes);
  return rows && { rows, groupBy, byWeek, rowsMax: promptSumsMax };
}

/** The plan of what extraction says of some answers; null when no row can pass the filters. */
export function planReadings(
  selection: Selection,
  { groupBy, sequences, entities }: Omit<ReadingsPlan, "rows">,
  codes: Codes,
): ReadingsPlan | null {
  const rows = rowsOf(selection, "appearances", codes);
  return rows && { rows, groupBy, sequences, entities };
}

/** The plan of stability; null when no row can pass the filters. */
export function planStability(
  selection: Selection,
  groupBy: GroupedBy | null,
  codes: Codes,
): StabilityPlan | null {
  const rows = rowsOf(selection, "citations", codes);
  const answers = rowsOf(selection, "appearances", codes);
  return rows && answers && { rows, answers, groupBy };
}

/** The entity of sums over all entities without sums of their own. */
export const otherEntities = -1;

/**
 * Sums over the answers of a group to one prompt. Entity 0 is the answers themselves: `mentioned`
 * is how many there are. `first`: how many have it at rank 1; an answer that mentions any entity
 * has exactly one at that rank.
 */
export interface PromptSums extends EntitySums {
  readonly prompt: number;
  /** The week's number (UTC, from Monday); 0 when weeks have no sums of their own. */
  readonly week: number;
  readonly first: number;
  /** When the newest of the answers was given: milliseconds since 1970. */
  readonly lastMs: number;
}

/** What is summed of how answers speak of an entity, in the order of rows. */
export const portrayalMeasures = ["read", ...portrayalFlags] as const satisfies PortrayalMeasure[];

/** Sums of how answers speak of an entity; only where they were asked for. */
export type PortrayalSums = Readonly<Partial<Record<PortrayalMeasure, number>>>;

/** Sums of one entity over some answers of a group. */
export interface EntitySums extends PortrayalSums {
  /** The code of what is grouped by; 0 without a grouping, and where an answer has none. */
  readonly group: number;
  readonly entity: number;
  readonly mentioned: number;
  readonly cited: number;
  readonly visible: number;
  readonly rank: number;
}

/**
 * Sums over the answers of a group by one provider in one region, to prompts that both sides of a
 * comparison have, as columns: of groups of one prompt there are half a million.
 */
export type PairSums = NumberColumns<
  | "group"
  /** Provider and region as one number: see pairRegions. */
  | "pair"
  | "entity"
  /** Of prompts with answers on both sides. */
  | "mentioned"
  | "cited"
  | "visible"
  /** Mentions of prompts that mention any tracked entity on both sides. */
  | "voiced"
  /** Mentions of prompts that mention the entity on both sides. */
  | "named"
  /** Their ranks. */
  | "rank"
> &
  /** Of prompts whose answers were read for what they say of the entity on both sides. */
  Partial<NumberColumns<PortrayalMeasure>>;

const numbersOfGroup = 65_536n;

/** A prompt of a group; groups that a prompt determines are 0. */
export function promptKey(prompt: number, group: number): bigint {
  return BigInt(prompt) * numbersOfGroup + BigInt(group);
}

/** An entity in the answers to a prompt of a group. */
export function entityKey(prompt: bigint, entity: number): bigint {
  return prompt * numbersOfGroup + BigInt(entity);
}

/** Whether answers to one prompt are in several groups. */
export function splitsPrompts(groupBy: GroupedBy | null): boolean {
  if (groupBy === null) return false;
  if (typeof groupBy === "object") return "models" in groupBy;
  return ["provider", "region", "surface"].includes(groupBy);
}

/** What stands in place of an entity's number where a day's prompts are counted. */
export const promptsOfDay = -2;

/**
 * Sums over the answers of a group of one UTC day. The row of `promptsOfDay` says in `mentioned`
 * how many prompts have answers of that day.
 */
export interface DaySums extends EntitySums {
  /** Days since 1970. */
  readonly day: number;
}

/** Above the regions' numbers, so that a pair is provider × this + region. */
export const pairRegions = 65_536;

/** Which model and surface of a provider gave answers of a group; 0: not known. */
export interface Origin {
  /** As PromptSums has it. */
  readonly group: number;
  readonly provider: number;
  readonly model: number;
  readonly surface: number;
  /** The week's number; 0 when weeks are not asked for. */
  readonly week: number;
  readonly answers: number;
  /** Of one of the answers: the model's name is in the record. */
  readonly sequence: number;
}

/** How the hits of a rate are divided by the domains that they cite. */
export interface DomainHitsPlan {
  /** Citations. */
  readonly rows: RowSelection;
  /** The same answers, by appearances. */
  readonly answers: RowSelection;
  readonly entity: number;
  readonly measure: "mentioned" | "visible" | "cited";
  /** No more rows are read. */
  readonly rowsMax: number;
}

/** Hits that cite a domain, and as many distinct domains in all. */
export interface DomainHits {
  readonly domain: string;
  /** At least 1. */
  readonly domains: number;
  readonly hits: number;
}

const measureOfRate = { mentions: "mentioned", visibility: "visible", citations: "cited" } as const;

/** The plan of hits by cited domain; null when no row can pass the filters. */
export function planDomainHits(
  selection: Selection,
  { entity, metric }: { readonly entity: number; readonly metric: ChangesMetricName },
  codes: Codes,
): DomainHitsPlan | null {
  const rows = rowsOf(selection, "citations", codes);
  const answers = rowsOf(selection, "appearances", codes);
  if (rows === null || answers === null || !(metric in measureOfRate)) return null;
  const measure = measureOfRate[metric as keyof typeof measureOfRate];
  return { rows, answers, entity, measure, rowsMax: promptSumsMax };
}

/** Pairs of consecutive answers of a group that are equally alike. */
export interface AlikePairs {
  /** As PromptSums has it. */
  readonly group: number;
  /** Domains that both cite. */
  readonly shared: number;
  /** Domains that either cites; at least 1. */
  readonly either: number;
  readonly pairs: number;
}
