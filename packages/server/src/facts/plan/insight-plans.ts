import { type ChangesMetricName, portrayalFlags } from "@sightline/contract";
import type { NumberColumns } from "../../platform/sql.ts";
import {
  appearanceRollups,
  type Codes,
  citationRollups,
  type FilterColumn,
  noRollup,
  type PlanUsed,
  type PortrayalMeasure,
  type RollupChoice,
  type RowSelection,
  rowsOf,
  type SourcesPlan,
} from "./plan.ts";
import type { CitedSource, Selection, SourcesQuestion } from "./question.ts";
import type { ListedNames } from "./source-plans.ts";
import type { SourceGapsQuestion } from "./source-questions.ts";

/**
 * A column that answers are grouped by. Models have numbers of 32 bits, which do not fit beside a
 * prompt's: theirs are their places in the list, from 1, and 0 where it lacks them.
 */
export type GroupedBy = Exclude<FilterColumn, "model"> | { readonly models: readonly number[] };

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
export interface AnswerReading extends Pick<EntitySums, "group" | "entity"> {
  readonly sequence: number;
  readonly prompt: number;
  /** 0 or 1. */
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

/** How a page of sources is computed with the answers that cite each. */
export interface SourceGapsPlan extends SourcesPlan {
  /** The same answers, by appearances. */
  readonly answers: RowSelection;
  /** Only sources of these citations are listed; null: all. */
  readonly listed: CitedSource | null;
  readonly orderBy: SourceGapsQuestion["orderBy"];
  /** Only sources of these names are listed; null: all. */
  readonly named: ListedNames | null;
  /** Only pages of these forms; null: all. */
  readonly forms: SourceGapsQuestion["forms"];
}

/** The most rows of sums by prompt: some 50 MB of memory. */
const promptSumsMax = 500_000;

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

/** The plan of sources with their gaps; null when no row can pass the filters. */
export function planSourceGaps(
  question: SourcesQuestion & Pick<SourceGapsQuestion, "listed" | "orderBy" | "forms">,
  { codes, named }: { readonly codes: Codes; readonly named: ListedNames | null },
): SourceGapsPlan | null {
  const { selection, groupBy, listed, limit, offset, orderBy, forms } = question;
  const rows = rowsOf(selection, "citations", codes);
  const answers = rowsOf(selection, "appearances", codes);
  const choice = noRollup(citationRollups, "sums_by_answer");
  if (rows === null || answers === null) return null;
  const which = { groupBy, listed, named, forms, limit, offset, orderBy };
  return { choice, rows, answers, ...which };
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
  return typeof groupBy === "object" || ["provider", "region", "surface"].includes(groupBy);
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

/** A cited source, and who is visible in the answers that cite it. */
interface SourceGap {
  readonly source: string;
  readonly citations: number;
  /** Answers that cite it. */
  readonly answers: number;
  /** Over prompts, the sum of the squares of the answers that cite it. */
  readonly promptSquares: number;
  readonly withBrand: number;
  readonly withBrandOnly: number;
  readonly withCompetitorOnly: number;
  /** The first and the last answer that cites it: milliseconds since 1970. */
  readonly firstCitedMs: number;
  readonly lastCitedMs: number;
}

/** As many prompts does the mean gap of all sources count for in the gap of each. */
export const meanGapPrompts = 5;

/** What all sources together come to. */
export interface GapTotals {
  /** Answers that pass the filters, those that cite nothing included. */
  readonly answers: number;
  /** Pairs of an answer and a source that it cites. */
  readonly citing: number;
  /** Those of them with a competitor and without the brand. */
  readonly gaps: number;
}

/** What a sum by prompt counts, if not the citations of a source of the page. */
export const [allAnswers, allCitations] = [-2, -1] as const;

/** A sum over the answers to one prompt. */
export interface SourcePromptSum {
  readonly prompt: number;
  /** `allAnswers`, `allCitations`, or the citations of a source, by its place on the page. */
  readonly counted: number;
  readonly sum: number;
}

/** A sum over the answers of one provider in one region, to prompts that both sides cite for. */
interface SourcePairSum {
  /** See pairRegions. */
  readonly pair: number;
  /** As SourcePromptSum has it. */
  readonly counted: number;
  readonly sum: number;
}

/** A sum over the answers of one UTC day. */
interface SourceDaySum {
  /** Days since 1970. */
  readonly day: number;
  /** As SourcePromptSum has it; of `allAnswers`, the sum is how many prompts have answers. */
  readonly counted: number;
  readonly sum: number;
}

/** The sums of one side of a comparison. */
export interface SourceSums {
  readonly prompts: readonly SourcePromptSum[];
  readonly pairs: readonly SourcePairSum[];
  readonly days: readonly SourceDaySum[];
}

/** The sums of both sides of a comparison. */
export interface ComparedSources {
  readonly before: SourceSums;
  readonly after: SourceSums;
  /** Of the providers that stayed as they were; null: none or all did. */
  readonly continuing: Pick<ComparedSources, "before" | "after"> | null;
}

/** What the facts say to a page of sources with gaps. */
export interface SourceGapsFacts {
  readonly total: number;
  readonly citations: number;
  readonly page: readonly SourceGap[];
  readonly all: GapTotals;
  /** Null: nothing is compared. */
  readonly compared: ComparedSources | null;
  readonly used: PlanUsed;
}
