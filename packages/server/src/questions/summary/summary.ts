import { type Provider, portrayalFlags } from "@sightline/contract";
import {
  type AlikePairs,
  type PromptSumsOf,
  planPromptSums,
  planStability,
} from "../../facts/plan/insight-plans.ts";
import { noPlan, type PlanUsed, usedBy } from "../../facts/plan/plan.ts";
import { checkEntries, type Selection, type SummaryQuestion } from "../../facts/plan/question.ts";
import type { SeriesEntity } from "../../facts/plan/series.ts";
import { emptyPart } from "../account-views.ts";
import { continuous, type Discontinuity, ofProviders } from "../discontinuity.ts";
import {
  comparedPart,
  factsPart,
  type Grouped,
  type Measured,
  type Reading,
  readDiscontinuity,
  readGroups,
  readLanguages,
  readSide,
  type SummarySide,
} from "../reading.ts";
import { Changes, judgingOf } from "../statistics/verdicts.ts";
import { alikeByTag } from "../tag-groups.ts";
import {
  type ComparedFacts,
  type CountedComparison,
  countedComparison,
  readComparison,
  type Sides,
} from "./comparison.ts";
import { type PlacedLabel, type RectifiedOf, readLabelled, rectifiedRates } from "./extraction.ts";
import { groupCounts, groupsOf } from "./group-counts.ts";
import {
  groupPart,
  type ListedEntity,
  type NamedGroup,
  type PendingEntity,
  type PendingGroup,
  type Stability,
  stabilityOf,
} from "./group-part.ts";
import { type LanguagesOf, languagesOf } from "./portrayal.ts";
import { type GroupSides, summaryMetrics, valuesOf } from "./summary-metrics.ts";
import { readWeeks, type Trends, trendsOf, type WeekFacts } from "./trends.ts";

/** What the facts say to a summary. */
export interface SummaryFacts extends SummarySide {
  /** Those that are listed, in the order of the series. */
  readonly entities: readonly ListedEntity[];
  /** Null: nothing is compared. */
  readonly compared: ComparedFacts | null;
  /** What a group's number stands for; null: nothing, as without a grouping. */
  readonly keyOf: (group: number) => string | null;
  /** Of the comparison; nothing without one. */
  readonly discontinuity: Discontinuity;
  /** Of the providers that stayed as they were, by `providersKey`. */
  readonly continuing: ReadonlyMap<string, ComparedFacts>;
  /** Null: trends were not asked for, or there are too few weeks. */
  readonly weeks: WeekFacts | null;
  /** Null: it was not asked for. */
  readonly stability: ReadonlyMap<number, Stability> | null;
  /** Null: it was not asked for. */
  readonly rectified: RectifiedOf | null;
  /** Null: how answers speak of the entities was not asked for. */
  readonly languages: LanguagesOf | null;
  readonly used: PlanUsed;
}

/** What a summary is made of beside the facts that it reads. */
interface SummaryWith {
  /** The labels of the account, when they are asked for. */
  readonly readLabels?: () => Promise<readonly PlacedLabel[]>;
  /** Sides that were read already. */
  readonly known?: Sides<SummarySide>;
}

/** What the facts say to a summary. @throws ServiceError invalid_request when it is too large. */
export async function readSummary(
  reading: Reading,
  { groupBy, selection, entityIds, compare, ...parts }: SummaryQuestion,
  { readLabels = async () => [], known }: SummaryWith = {},
): Promise<SummaryFacts> {
  const { withStability, withTrend, withExtraction, withPortrayal } = parts;
  const { facts } = reading.view;
  const groups = await readGroups(reading, groupBy, compare ? [compare, selection] : [selection]);
  const grouped = groups.groupBy;
  const entities = listedEntities(reading.view.entities, entityIds);
  const listed = entityIds && entities.map(({ number }) => number);
  const of = { groupBy: grouped, listed, byWeek: false, withPortrayal };
  const own = known?.after ?? (await readSide(reading, selection, of));
  const selections = compare && { before: compare, after: selection };
  const sides = { ...known, after: own };
  const compared = selections && (await readComparison(reading, { selections, of, known: sides }));
  checkEntries(groupsOf(own.sums, compared?.sides.before.sums ?? []).size, entities.length);
  const plan = facts && planPromptSums(selection, of, facts.codes);
  const discontinuity = selections
    ? await readDiscontinuity(reading, selections, grouped)
    : continuous;
  return {
    ...own,
    entities,
    compared,
    discontinuity,
    continuing: await readContinuing(reading, { selections, discontinuity, of }),
    weeks: withTrend ? await readWeeks(reading, selection, { groupBy: grouped, listed }) : null,
    stability: withStability ? stabilityOf(await readStability(reading, selection, grouped)) : null,
    rectified: withExtraction
      ? rectifiedRates(
          await readLabelled(reading, selection, {
            groupBy: grouped,
            entities,
            labels: await readLabels(),
          }),
        )
      : null,
    languages: withPortrayal ? languagesOf(await readLanguages(reading, selection, of)) : null,
    keyOf: groups.keyOf,
    used: plan === null ? noPlan : usedBy(plan),
  };
}

const providersKey = (providers: readonly Provider[]) => providers.join(" ");

/** Compares the providers that stayed as they were: most groups have the same ones. */
async function readContinuing(
  reading: Reading,
  {
    selections,
    discontinuity,
    of,
  }: {
    readonly selections: Sides<Selection> | null;
    readonly discontinuity: Discontinuity;
    readonly of: PromptSumsOf;
  },
): Promise<ReadonlyMap<string, ComparedFacts>> {
  const found = new Map<string, ComparedFacts>();
  if (selections === null) return found;
  for (const { continuing: providers } of discontinuity.groups.values()) {
    const key = providersKey(providers);
    const after = ofProviders(selections.after, providers);
    const before = ofProviders(selections.before, providers);
    if (after === null || before === null || found.has(key)) continue;
    found.set(key, await readComparison(reading, { selections: { before, after }, of }));
  }
  return found;
}

/** As anywhere, an id that the account does not have matches nothing. */
function listedEntities(
  entities: readonly SeriesEntity[],
  entityIds: readonly string[] | null,
): readonly ListedEntity[] {
  const wanted = entityIds && new Set(entityIds);
  const numbered = entities.map((entity, place) => ({ ...entity, number: place + 1 }));
  return wanted === null ? numbered : numbered.filter(({ id }) => wanted.has(id));
}

async function readStability(
  { engine, accountId, view: { facts }, signal }: Reading,
  selection: Selection,
  groupBy: Grouped,
): Promise<readonly AlikePairs[]> {
  const plan = facts && planStability(selection, groupBy, facts.codes);
  if (facts === null || plan === null) return [];
  const { generation } = facts;
  return alikeByTag(await engine.stability(accountId, { generation, plan }, signal), groupBy);
}

/**
 * The reply to a summary, as JSON; the groups in the order given. It can be paused after each
 * value.
 */
export function* summaryJson(
  question: SummaryQuestion,
  facts: Measured<SummaryFacts>,
  named: (groups: readonly number[]) => readonly NamedGroup[],
): Generator<void, Buffer, void> {
  const { groupBy, selection, compare } = question;
  const judging = judgingOf([selection, compare ?? selection], question);
  const changes = new Changes(judging);
  // What is said is tested by itself, so that it changes no p of the other values.
  const saidChanges = new Changes(judging);
  const sidesOf = yield* groupSides(facts);
  const trends = question.withTrend ? yield* trendsFor(question, facts) : null;
  const pending: PendingGroup[] = [];
  for (const group of named([...sidesOf.keys()])) {
    const sides = sidesOf.get(group.number) ?? { prompts: new Map(), compared: null };
    const entities: PendingEntity[] = [];
    for (const entity of facts.entities) {
      const values = yield* valuesOf(summaryMetrics, entity.number, { sides, changes });
      const of = { sides, changes: saidChanges };
      const said = facts.languages && (yield* valuesOf(portrayalFlags, entity.number, of));
      const { rectified: labels } = facts;
      const rectified = labels && (yield* labels(group.number, entity.number, sides.prompts));
      entities.push({ ...entity, values, said, rectified });
    }
    pending.push({ ...group, counts: sides.prompts, entities });
  }
  const [judged, judgedSaid] = [changes.judged(), saidChanges.judged()];
  const chunks = [Buffer.from(`{"groupBy":"${groupBy}","groups":[`)];
  for (const [place, group] of pending.entries()) {
    const json = JSON.stringify(
      groupPart(group, {
        changes: judged.changes,
        saidChanges: judgedSaid.changes,
        trends,
        stability: facts.stability,
        languages: facts.languages,
      }),
    );
    chunks.push(Buffer.from(place === 0 ? json : `,${json}`));
    yield;
  }
  const rest = {
    tests: judged.tests,
    ...(facts.compared === null || facts.languages === null
      ? {}
      : { portrayalTests: judgedSaid.tests }),
    empty: emptyPart(facts.empty),
    ...factsPart(facts.measured?.own),
    ...(facts.compared === null
      ? {}
      : { compare: comparedPart(compare ?? selection, facts.compared.sides.before, facts) }),
  };
  return Buffer.concat([...chunks, Buffer.from(`],${JSON.stringify(rest).slice(1)}`)]);
}

/** What each group counts, and what it is compared with. It can be paused after some sums. */
export function* groupSides(
  facts: SummaryFacts,
): Generator<void, ReadonlyMap<number, GroupSides>, void> {
  const { compared, sums, discontinuity } = facts;
  if (compared === null) {
    const groups = yield* groupCounts(sums);
    return new Map([...groups].map(([group, prompts]) => [group, { prompts, compared: null }]));
  }
  const counted = yield* countedComparison(compared);
  const kept = new Map<string, CountedComparison>();
  for (const [key, each] of facts.continuing) kept.set(key, yield* countedComparison(each));
  const groups = groupsOf(compared.sides.after.sums, compared.sides.before.sums);
  return new Map(
    [...groups].map((group): [number, GroupSides] => {
      const own = discontinuity.groups.get(group) ?? null;
      const continuing = own && kept.get(providersKey(own.continuing));
      const sides = counted(group);
      const of = { sides, discontinuity: own, continuing: continuing?.(group) ?? null };
      return [group, { prompts: sides.after.prompts, compared: of }];
    }),
  );
}

/** A value, nearly the longest. */
const longestValue =
  '"shareOfVoice":{"value":0.12345678901234567,"numerator":1000000,"denominator":1000000,' +
  '"effectivePrompts":1000,"interval":{"low":0.12345678901234567,"high":0.12345678901234567},' +
  '"flags":["exploratory"]},';
const longestChange =
  '"change":{"value":-0.12345678901234567,"parts":{"likeForLike":-0.12345678901234567,"mix":' +
  '-0.12345678901234567,"promptsAdded":-0.12345678901234567,"promptsRemoved":' +
  '-0.12345678901234567},"effectivePrompts":1000,"interval":{"low":-0.12345678901234567,"high":' +
  '0.12345678901234567},"p":0.12345678901234567,"adjustedP":0.12345678901234567,' +
  '"verdict":"within-noise","flags":["fewDays"]},';

const longestExtraction =
  '"extraction":{"labelled":10000,"labelledPrompts":1000,"effectivePrompts":1000,"missed":1000,' +
  '"wrong":1000,"precision":0.12345678901234567,"recall":0.12345678901234567,"kappa":' +
  '-0.12345678901234567,"difference":-0.12345678901234567,"value":0.12345678901234567,' +
  '"interval":{"low":0.12345678901234567,"high":0.12345678901234567},"flags":["exploratory"]}';

/** As many values is what is said of an entity, where its reader is as long as some of them. */
const saidMetricsMax = portrayalFlags.length + 4;

/** The most bytes that a reply takes, nearly. */
export function summaryBytesMax(facts: SummaryFacts): number {
  const { sums, compared, entities, weeks, discontinuity, rectified, languages } = facts;
  const groups = groupsOf(sums, compared?.sides.before.sums ?? []).size;
  // A trend is about as long as a change, and a discontinuous change has another one within.
  const changes = (compared === null ? 0 : 1) + (weeks === null ? 0 : 1);
  const labelled = rectified === null ? 0 : longestExtraction.length;
  const value = longestValue.length + changes * longestChange.length + labelled;
  const metrics = summaryMetrics.length + (languages === null ? 0 : saidMetricsMax);
  const within = discontinuity.groups.size * (entities.length + 1) * metrics;
  return groups * (entities.length + 1) * metrics * value + within * longestChange.length;
}

function* trendsFor(
  { threshold }: SummaryQuestion,
  { weeks, entities }: SummaryFacts,
): Generator<void, Trends, void> {
  if (weeks === null) return () => null;
  return yield* trendsOf(weeks, { entities: entities.map(({ number }) => number), threshold });
}
