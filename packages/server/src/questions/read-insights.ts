import { canonicalSource } from "../facts/canonical-source.ts";
import { providersOf } from "../facts/codes.ts";
import type { FactsEngine } from "../facts/facts-engine.ts";
import { groupKeys } from "../facts/group-keys.ts";
import type { AlikePairs, Origin } from "../facts/plan/insight-plans.ts";
import {
  type PromptSumsOf,
  planOrigins,
  planPromptSums,
  planSourceGaps,
  planStability,
} from "../facts/plan/insight-plans.ts";
import { noPlan, usedBy } from "../facts/plan/plan.ts";
import { groupsOf, type PromptSums } from "../facts/plan/prompt-sums.ts";
import {
  checkEntries,
  type Selection,
  type SourceGapsQuestion,
  type SummaryQuestion,
  tooManySums,
} from "../facts/plan/question.ts";
import type { SeriesEntity } from "../facts/plan/series.ts";
import { sourceOwners } from "../facts/source-owners.ts";
import type { AccountView } from "./account-views.ts";
import { continuous, type Discontinuity, discontinuityOf } from "./discontinuity.ts";
import { emptinessOf } from "./emptiness-of.ts";
import type { ClassifiedSources } from "./source-gaps-page.ts";
import { stabilityOf } from "./stability.ts";
import type { ListedEntity, SummaryFacts, SummarySide } from "./summary.ts";

/** Whose facts are read, and by what. */
export interface Reading {
  readonly engine: FactsEngine;
  readonly accountId: string;
  readonly view: AccountView;
  readonly signal: AbortSignal;
}

/** What the facts say to a summary. @throws ServiceError invalid_request when it is too large. */
export async function readSummary(
  reading: Reading,
  { groupBy, selection, entityIds, compare, withStability }: SummaryQuestion,
): Promise<SummaryFacts> {
  const { facts } = reading.view;
  const grouped = groupBy === "none" ? null : groupBy;
  const entities = listedEntities(reading.view.entities, entityIds);
  const listed = entityIds && entities.map(({ number }) => number);
  const of = { groupBy: grouped, listed };
  const own = await readSide(reading, selection, of);
  const compared = compare && (await readSide(reading, compare, of));
  checkEntries(groupsOf(own.sums, compared?.sums ?? []).size, entities.length);
  const plan = facts && planPromptSums(selection, of, facts.codes);
  return {
    ...own,
    entities,
    compared,
    discontinuity: compare
      ? await readDiscontinuity(reading, { selection, compare }, grouped)
      : continuous,
    stability: withStability ? stabilityOf(await readStability(reading, selection, grouped)) : null,
    keyOf: groupKeys(groupBy, facts?.snapshot ?? null),
    used: plan === null ? noPlan : usedBy(plan),
  };
}

/** What the facts say to a page of sources with gaps. */
export async function readClassifiedSources(
  reading: Reading,
  asked: SourceGapsQuestion,
): Promise<ClassifiedSources> {
  const { entities, facts } = reading.view;
  const question = { ...asked, listed: canonicalSource(asked.listed) };
  const { selection, compare, groupBy } = question;
  const comparedSide = compare && (await readSide(reading, compare, answersAlone));
  const discontinuity = compare
    ? await readDiscontinuity(reading, { selection, compare }, null)
    : continuous;
  const plan = facts && planSourceGaps(question, facts.codes);
  if (facts === null || plan === null) {
    const empty = await emptyOf(reading, selection, null);
    return { ...noSources, entities, empty, comparedSide, discontinuity };
  }
  const found = await reading.engine.sourceGaps(
    reading.accountId,
    {
      generation: facts.generation,
      plan: {
        page: plan,
        compare: compare && planSourceGaps({ ...question, selection: compare }, facts.codes),
      },
    },
    reading.signal,
  );
  const sources = found.page.map(({ source }) => source);
  return {
    ...found,
    entities,
    owners: sourceOwners(facts.snapshot, groupBy, sources),
    empty: found.citations === 0 ? await uncited(reading, selection) : null,
    comparedSide,
    discontinuity,
    used: usedBy(plan),
  };
}

const noSources = {
  ...{ total: 0, citations: 0, page: [], owners: [], compared: null, used: noPlan },
} as const;

type Grouped = PromptSumsOf["groupBy"];

/** Sums of the answers, and of all entities together. */
const answersAlone: PromptSumsOf = { groupBy: null, listed: [] };

/** As anywhere, an id that the account does not have matches nothing. */
function listedEntities(
  entities: readonly SeriesEntity[],
  entityIds: readonly string[] | null,
): readonly ListedEntity[] {
  const wanted = entityIds && new Set(entityIds);
  const numbered = entities.map((entity, place) => ({ ...entity, number: place + 1 }));
  return wanted === null ? numbered : numbered.filter(({ id }) => wanted.has(id));
}

async function readSide(
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

/** What of a comparison is not continuous. */
async function readDiscontinuity(
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

async function readStability(
  { engine, accountId, view: { facts }, signal }: Reading,
  selection: Selection,
  groupBy: Grouped,
): Promise<readonly AlikePairs[]> {
  const plan = facts && planStability(selection, groupBy, facts.codes);
  if (facts === null || plan === null) return [];
  return engine.stability(accountId, { generation: facts.generation, plan }, signal);
}

/** No source passes: either no answer does, or those that do cite nothing. */
async function uncited(reading: Reading, selection: Selection) {
  const sums = await readSums(reading, selection, answersAlone);
  return emptyOf(reading, selection, sums.length === 0 ? null : "uncited");
}

function emptyOf(
  { view: { facts }, ...reading }: Reading,
  selection: Selection,
  found: Parameters<typeof emptinessOf>[2],
) {
  return emptinessOf({ ...reading, facts }, selection, found);
}
