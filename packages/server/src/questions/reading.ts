import type { MeasurementFacts, SummaryGrouping } from "@sightline/contract";
import { groupKeys } from "../facts/codes.ts";
import type { FactsEngine } from "../facts/engine.ts";
import {
  type DaySums,
  type LanguageCount,
  type Origin,
  type PairSums,
  type PairSumsPlan,
  type PromptSums,
  type PromptSumsOf,
  planDaySums,
  planLanguages,
  planOrigins,
  planPromptSums,
  promptSumsMax,
} from "../facts/plan/insight-plans.ts";
import { checkModels, type Selection, tooManySums } from "../facts/plan/question.ts";
import { type AccountView, type Emptiness, emptinessOf, emptyPart } from "./account-views.ts";
import { type Discontinuity, discontinuityOf } from "./discontinuity.ts";
import { byTag, pairsByTag } from "./tag-groups.ts";

/** What the facts say of one side of a comparison. */
export interface SummarySide {
  readonly sums: readonly PromptSums[];
  /** How many there are; those of several tags once. */
  readonly answers: number;
  /** Null: there is something to say. */
  readonly empty: Emptiness | null;
}

/** By what answers a reply was measured. */
export interface MeasuredSides {
  readonly own: MeasurementFacts;
  /** Null: nothing is compared. */
  readonly compare: MeasurementFacts | null;
}

/** What the facts say, and by what answers it was measured; null: that was not asked for. */
export type Measured<Found> = Found & { readonly measured: MeasuredSides | null };

/** The part of a reply about its own answers; nothing when it was not asked for. */
export function factsPart(facts: MeasurementFacts | null | undefined) {
  return facts === null || facts === undefined ? {} : { facts };
}

/** The account whose facts are read, the engine that reads them, and when to stop. */
export interface FactsReading {
  readonly engine: FactsEngine;
  readonly accountId: string;
  readonly view: AccountView;
  readonly signal: AbortSignal;
}

/** The same, and the record's names of models, which the facts know by numbers alone. */
export interface Reading extends FactsReading {
  /** The models of answers at these places of the record, in this order. */
  readonly modelsAt: (sequences: readonly number[]) => Promise<readonly string[]>;
}

/** What the numbers of a reply are grouped by; null: nothing. */
export type Grouped = PromptSumsOf["groupBy"];

/** A grouping, and what the numbers of its groups stand for; null: nothing, as without one. */
export interface Groups {
  readonly groupBy: Grouped;
  readonly keyOf: (group: number) => string | null;
}

/** How the answers of some selections are grouped. @throws ServiceError invalid_request. */
export async function readGroups(
  reading: Reading,
  groupBy: SummaryGrouping,
  selections: readonly Selection[],
): Promise<Groups> {
  if (groupBy === "model") return readModels(reading, selections);
  if (groupBy === "tag") {
    const { sets = null, names = [] } = reading.view.facts?.tags ?? {};
    return { groupBy: sets, keyOf: (group) => names[group - 1] ?? null };
  }
  const keyOf = groupKeys(groupBy, reading.view.facts?.snapshot ?? null);
  return { groupBy: groupBy === "none" ? null : groupBy, keyOf };
}

/** The facts know models by numbers alone: an answer of each is read for its name. */
async function readModels(reading: Reading, selections: readonly Selection[]): Promise<Groups> {
  const places = new Map<number, number>();
  for (const selection of selections) {
    const origins = await readOrigins(reading, selection, { groupBy: null, byWeek: false });
    for (const { model, sequence } of origins) if (model !== 0) places.set(model, sequence);
  }
  checkModels(places.size);
  const names = await reading.modelsAt([...places.values()]);
  const models = [...places.keys()]
    .map((model, place) => ({ model, name: names[place] ?? "" }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    groupBy: { models: models.map(({ model }) => model) },
    keyOf: (group) => models[group - 1]?.name ?? null,
  };
}

/** Sums of the answers, and of all entities together. */
export const answersAlone: PromptSumsOf = {
  groupBy: null,
  listed: [],
  byWeek: false,
  withPortrayal: false,
};

/** Reads one side of a comparison. @throws ServiceError invalid_request when it is too large. */
export async function readSide(
  reading: FactsReading,
  selection: Selection,
  of: PromptSumsOf,
): Promise<SummarySide> {
  const whole = await readWhole(reading, selection, of);
  if (whole.length === 0) {
    return { sums: whole, answers: 0, empty: await emptyOf(reading, selection, null) };
  }
  const isInformative = whole.some(({ entity, mentioned }) => entity !== 0 && mentioned > 0);
  const empty = isInformative ? null : await emptyOf(reading, selection, "uninformative");
  const answers = whole.reduce((sum, each) => sum + (each.entity === 0 ? each.mentioned : 0), 0);
  return { sums: await sumsByTag(whole, of), answers, empty };
}

/** Sums by prompt and more. @throws ServiceError invalid_request when there are too many. */
export async function readSums(
  reading: FactsReading,
  selection: Selection,
  of: PromptSumsOf,
): Promise<readonly PromptSums[]> {
  return sumsByTag(await readWhole(reading, selection, of), of);
}

async function sumsByTag(
  whole: readonly PromptSums[],
  { groupBy }: PromptSumsOf,
): Promise<readonly PromptSums[]> {
  const sums = await byTag(whole, groupBy);
  if (sums.length > promptSumsMax) throw tooManySums(promptSumsMax);
  return sums;
}

/** The same; by sets of tags where they are by tag. */
async function readWhole(
  { engine, accountId, view: { facts }, signal }: FactsReading,
  selection: Selection,
  of: PromptSumsOf,
): Promise<readonly PromptSums[]> {
  const plan = facts && planPromptSums(selection, of, facts.codes);
  if (facts === null || plan === null) return [];
  const sums = await engine.promptSums(accountId, { generation: facts.generation, plan }, signal);
  if (sums.length > plan.rowsMax) throw tooManySums(plan.rowsMax);
  return sums;
}

/**
 * Reads the pairs of provider and region of one side of a comparison; null: no row passes.
 * @throws as readSide.
 */
export async function readPairs(
  { engine, accountId, view: { facts }, signal }: FactsReading,
  selection: Selection,
  { oneSided, ...of }: PromptSumsOf & Pick<PairSumsPlan, "oneSided">,
): Promise<PairSums | null> {
  const prompts = facts && planPromptSums(selection, of, facts.codes);
  if (facts === null || prompts === null) return null;
  const { generation } = facts;
  const plan = { ...prompts, oneSided };
  const sums = await engine.pairSums(accountId, { generation, plan }, signal);
  if (sums.group.length > plan.rowsMax) throw tooManySums(plan.rowsMax);
  return pairsByTag(sums, of.groupBy);
}

/** Reads the days of one side of a comparison. @throws as readSide. */
export async function readDays(
  { engine, accountId, view: { facts }, signal }: FactsReading,
  selection: Selection,
  of: PromptSumsOf,
): Promise<readonly DaySums[]> {
  const plan = facts && planDaySums(selection, of, facts.codes);
  if (facts === null || plan === null) return [];
  const sums = await engine.daySums(accountId, { generation: facts.generation, plan }, signal);
  if (sums.length > plan.rowsMax) throw tooManySums(plan.rowsMax);
  return byTag(sums, of.groupBy);
}

/** Reads which groups of a comparison are not continuous. */
export async function readDiscontinuity(
  reading: FactsReading,
  sides: { readonly before: Selection; readonly after: Selection },
  groupBy: Grouped,
): Promise<Discontinuity> {
  const of = { groupBy, byWeek: false };
  const before = await readWholeOrigins(reading, sides.before, of);
  const after = await readWholeOrigins(reading, sides.after, of);
  const groups = { before: await byTag(before, groupBy), after: await byTag(after, groupBy) };
  return discontinuityOf({ before, after }, groups);
}

/** Reads in which languages answers speak of each entity. @throws as readOrigins. */
export async function readLanguages(
  { engine, accountId, view: { facts }, signal }: FactsReading,
  selection: Selection,
  of: Pick<PromptSumsOf, "groupBy" | "listed">,
): Promise<readonly LanguageCount[]> {
  const plan = facts && planLanguages(selection, of, facts.codes);
  if (facts === null || plan === null) return [];
  const { generation } = facts;
  const counts = await engine.languages(accountId, { generation, plan }, signal);
  if (counts.length > plan.rowsMax) throw tooManySums(plan.rowsMax);
  return byTag(counts, of.groupBy);
}

/** @throws ServiceError invalid_request when there are too many. */
export async function readOrigins(
  reading: FactsReading,
  selection: Selection,
  of: { readonly groupBy: Grouped; readonly byWeek: boolean },
): Promise<readonly Origin[]> {
  return byTag(await readWholeOrigins(reading, selection, of), of.groupBy);
}

async function readWholeOrigins(
  { engine, accountId, view: { facts }, signal }: FactsReading,
  selection: Selection,
  of: { readonly groupBy: Grouped; readonly byWeek: boolean },
): Promise<readonly Origin[]> {
  const plan = facts && planOrigins(selection, of, facts.codes);
  if (facts === null || plan === null) return [];
  const { generation } = facts;
  const origins = await engine.origins(accountId, { generation, plan }, signal);
  if (origins.length > plan.rowsMax) throw tooManySums(plan.rowsMax);
  return origins;
}

/** Says why no source passes: no answer does, or those that do cite nothing. */
export async function uncited(reading: FactsReading, selection: Selection) {
  const sums = await readSums(reading, selection, answersAlone);
  return emptyOf(reading, selection, sums.length === 0 ? null : "uncited");
}

/** Says why a selection gives nothing; `found` is the reason if it is known. */
export function emptyOf(
  { view: { facts }, ...reading }: FactsReading,
  selection: Selection,
  found: Parameters<typeof emptinessOf>[2],
) {
  return emptinessOf({ ...reading, facts }, selection, found);
}

/** The part of a reply about what it is compared with. */
export function comparedPart(
  { fromMs, toMs }: Selection,
  { sums, answers, empty }: SummarySide,
  { discontinuity, measured }: Measured<{ readonly discontinuity: Discontinuity }>,
) {
  const asked = sums.filter(({ entity }) => entity === 0);
  const [from = "", to = ""] = [fromMs, toMs].map((ms) => new Date(ms).toISOString());
  return {
    timeRange: { from, to },
    answers,
    prompts: new Set(asked.map(({ prompt }) => prompt)).size,
    empty: emptyPart(empty),
    discontinuous: [...discontinuity.providers],
    ...factsPart(measured?.compare),
  };
}
