import type { Provider } from "@sightline/contract";
import { providersOf } from "../facts/codes.ts";
import type { FactsEngine } from "../facts/engine.ts";
import {
  type Origin,
  type PromptSums,
  type PromptSumsOf,
  planOrigins,
  planPromptSums,
} from "../facts/plan/insight-plans.ts";
import { type Selection, tooManySums } from "../facts/plan/question.ts";
import { type AccountView, type Emptiness, emptinessOf, emptyPart } from "./account-views.ts";

/** The origins of the answers of both sides of a comparison, each at least once. */
interface ComparedOrigins {
  readonly before: readonly Origin[];
  readonly after: readonly Origin[];
}

/** What of a comparison is not continuous. */
export interface Discontinuity {
  readonly providers: readonly Provider[];
  /** Groups in which one of them answered, on either side. */
  readonly groups: ReadonlySet<number>;
}

/** Nothing is compared, or nothing differs. */
export const continuous: Discontinuity = { providers: [], groups: new Set() };

/**
 * Which providers answered by other models, or on other surfaces, on one side than on the other.
 * An answer whose model or surface is not known says nothing of it (docs/decisions/insights.md).
 * @param namesOf the providers with some numbers.
 */
function discontinuityOf(
  { before, after }: ComparedOrigins,
  namesOf: (numbers: ReadonlySet<number>) => readonly Provider[],
): Discontinuity {
  const differing = (["model", "surface"] as const).flatMap((kind) => {
    const [first, second] = [knownOf(before, kind), knownOf(after, kind)];
    return [...first].filter(([provider, own]) => isOther(own, second.get(provider)));
  });
  const numbers = new Set(differing.map(([provider]) => provider));
  const groups = [...before, ...after].filter(({ provider }) => numbers.has(provider));
  return { providers: namesOf(numbers), groups: new Set(groups.map(({ group }) => group)) };
}

/** The known models or surfaces of each provider that has any. */
function knownOf(
  origins: readonly Origin[],
  kind: "model" | "surface",
): ReadonlyMap<number, ReadonlySet<number>> {
  const known = new Map<number, Set<number>>();
  for (const origin of origins) {
    if (origin[kind] === 0) continue;
    const own = known.get(origin.provider) ?? new Set<number>();
    known.set(origin.provider, own.add(origin[kind]));
  }
  return known;
}

function isOther(own: ReadonlySet<number>, other: ReadonlySet<number> | undefined): boolean {
  if (other === undefined) return false;
  return own.size !== other.size || [...own].some((each) => !other.has(each));
}

/** What the facts say of one side of a comparison. */
export interface SummarySide {
  readonly sums: readonly PromptSums[];
  /** Null: there is something to say. */
  readonly empty: Emptiness | null;
}

/** The account whose facts are read, the engine that reads them, and when to stop. */
export interface Reading {
  readonly engine: FactsEngine;
  readonly accountId: string;
  readonly view: AccountView;
  readonly signal: AbortSignal;
}

/** What the numbers of a reply are grouped by; null: nothing. */
export type Grouped = PromptSumsOf["groupBy"];

/** Sums of the answers, and of all entities together. */
export const answersAlone: PromptSumsOf = { groupBy: null, listed: [] };

/** Reads one side of a comparison. @throws ServiceError invalid_request when it is too large. */
export async function readSide(
  reading: Reading,
  selection: Selection,
  of: PromptSumsOf,
): Promise<SummarySide> {
  const sums = await readSums(reading, selection, of);
  if (sums.length === 0) return { sums, empty: await emptyOf(reading, selection, null) };
  const isInformative = sums.some(({ entity, mentioned }) => entity !== 0 && mentioned > 0);
  const empty = isInformative ? null : await emptyOf(reading, selection, "uninformative");
  return { sums, empty };
}

async function readSums(
  { engine, accountId, view: { facts }, signal }: Reading,
  selection: Selection,
  of: PromptSumsOf,
): Promise<readonly PromptSums[]> {
  const plan = facts && planPromptSums(selection, of, facts.codes);
  if (facts === null || plan === null) return [];
  const sums = await engine.promptSums(accountId, { generation: facts.generation, plan }, signal);
  if (sums.length > plan.rowsMax) throw tooManySums(plan.rowsMax);
  return sums;
}

/** Reads which groups of a comparison are not continuous. */
export async function readDiscontinuity(
  reading: Reading,
  sides: { readonly selection: Selection; readonly compare: Selection },
  groupBy: Grouped,
): Promise<Discontinuity> {
  const before = await readOrigins(reading, sides.compare, groupBy);
  const after = await readOrigins(reading, sides.selection, groupBy);
  return discontinuityOf({ before, after }, providersOf);
}

async function readOrigins(
  { engine, accountId, view: { facts }, signal }: Reading,
  selection: Selection,
  groupBy: Grouped,
): Promise<readonly Origin[]> {
  const plan = facts && planOrigins(selection, groupBy, facts.codes);
  if (facts === null || plan === null) return [];
  const { generation } = facts;
  const origins = await engine.origins(accountId, { generation, plan }, signal);
  if (origins.length > plan.rowsMax) throw tooManySums(plan.rowsMax);
  return origins;
}

/** Says why no source passes: no answer does, or those that do cite nothing. */
export async function uncited(reading: Reading, selection: Selection) {
  const sums = await readSums(reading, selection, answersAlone);
  return emptyOf(reading, selection, sums.length === 0 ? null : "uncited");
}

/** Says why a selection gives nothing; `found` is the reason if it is known. */
export function emptyOf(
  { view: { facts }, ...reading }: Reading,
  selection: Selection,
  found: Parameters<typeof emptinessOf>[2],
) {
  return emptinessOf({ ...reading, facts }, selection, found);
}

/** The part of a reply about what it is compared with. */
export function comparedPart(
  { fromMs, toMs }: Selection,
  { sums, empty }: SummarySide,
  { providers }: Discontinuity,
) {
  const answers = sums.filter(({ entity }) => entity === 0);
  const [from = "", to = ""] = [fromMs, toMs].map((ms) => new Date(ms).toISOString());
  return {
    timeRange: { from, to },
    answers: answers.reduce((sum, { mentioned }) => sum + mentioned, 0),
    prompts: new Set(answers.map(({ prompt }) => prompt)).size,
    empty: emptyPart(empty),
    discontinuous: [...providers],
  };
}
