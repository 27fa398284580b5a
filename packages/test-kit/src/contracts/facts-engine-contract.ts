import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { PortrayalFlag } from "@sightline/contract";
import fc from "fast-check";
import { codesOf, modelCode } from "../../../server/src/facts/codes.ts";
import type { FactRows } from "../../../server/src/facts/columns.ts";
import { type FactsEngine, GenerationGoneError } from "../../../server/src/facts/engine.ts";
import { planSourceGaps } from "../../../server/src/facts/plan/gap-plans.ts";
import {
  entityKey,
  planDaySums,
  planDomainHits,
  planLanguages,
  planOrigins,
  planPromptSums,
  planReadings,
  planStability,
  promptKey,
} from "../../../server/src/facts/plan/insight-plans.ts";
import {
  type MeasurementFacts,
  planMeasurement,
} from "../../../server/src/facts/plan/measurement-plan.ts";
import { planNames } from "../../../server/src/facts/plan/names-plan.ts";
import {
  type AnswerPlace,
  type EvidenceQuestion,
  planPlaces,
} from "../../../server/src/facts/plan/places-plan.ts";
import {
  type Codes,
  planCountedSeries,
  planSources,
  planTimeSeries,
} from "../../../server/src/facts/plan/plan.ts";
import type { CitedSource, Selection } from "../../../server/src/facts/plan/question.ts";
import {
  planCitedNames,
  planLife,
  planQueries,
} from "../../../server/src/facts/plan/source-plans.ts";
import type { Snapshot } from "../../../server/src/facts/snapshot.ts";
import {
  type AskedFact,
  arbitraryAskedFact,
  type Fact,
  factRowsAfter,
  factsSnapshot,
  pageOf,
  saidOf,
} from "./arbitrary-facts.ts";
import { arbitraryEvidence, arbitrarySeries, arbitrarySources } from "./arbitrary-questions.ts";
import { measurementOf } from "./expected-measurement.ts";

/** An account of the tests of facts. */
export const accountId = "cccccccc-0000-4000-8000-000000000001";

/** Another account of theirs. */
export const otherAccount = "cccccccc-0000-4000-8000-000000000002";

/** Never aborts. */
export const neverAborted = new AbortController().signal;

const fact: Fact = {
  prompt: 0,
  provider: "GROK" as const,
  region: null,
  answeredAt: Date.UTC(2026, 0, 1),
  model: null,
  surface: null,
  mentions: [0],
  cited: [],
  language: "en",
  said: [["praised"], [], []],
  pages: [],
};

/** The rows of answers that come after so many others. */
export async function rowsAfter(
  after: number,
  facts: readonly AskedFact[] = [fact],
): Promise<FactRows> {
  const rows = await factRowsAfter(after, facts);
  assert.ok(rows !== null);
  return rows;
}

/** Builds facts from batches, and finishes them after the first few. */
export async function filled(
  engine: FactsEngine,
  batches: readonly (readonly AskedFact[])[],
  { account = accountId, finishedAfter = batches.length } = {},
): Promise<string> {
  const { generation } = await engine.begin(account, factsSnapshot);
  let after = 0;
  for (const [index, facts] of batches.entries()) {
    if (index === finishedAfter) await engine.finish(account, generation);
    await engine.append(account, generation, await rowsAfter(after, facts));
    after += facts.length;
  }
  if (finishedAfter >= batches.length) await engine.finish(account, generation);
  return generation;
}

/** Everything that an engine replies to the questions, in their order. */
export async function replies(
  engine: FactsEngine,
  generation: string,
  { account = accountId, ...asked }: Questions & { readonly account?: string },
) {
  const codes = await taggedCodes();
  const entities = factsSnapshot.entities.length;
  const series: unknown[] = [];
  for (const question of asked.series) {
    const plan = planTimeSeries(question, { codes, entities });
    series.push(plan && (await engine.series(account, { generation, plan }, neverAborted)));
  }
  const sources: unknown[] = [];
  for (const question of asked.sources) {
    const plan = planSources(question, codes);
    sources.push(plan && (await engine.sources(account, { generation, plan }, neverAborted)));
  }
  const lists: unknown[] = [];
  const entityIds = factsSnapshot.entities.map(({ id }) => id);
  for (const question of asked.lists) {
    const plan = planPlaces(question, { codes, entityIds });
    lists.push(plan && (await engine.places(account, { generation, plan }, neverAborted)));
  }
  const insights = await insightReplies(engine, generation, { account, ...asked });
  const coverage = await engine.coverage(account, generation, neverAborted);
  return { series, sources, lists, insights, coverage };
}

/** The numbers of prompts with a tag, as a workspace says them. */
const tagged: Readonly<Record<string, readonly number[]>> = {
  even: factsSnapshot.prompts.flatMap((_, number) => (number % 2 === 0 ? [number] : [])),
  first: [0, 1],
};

async function taggedCodes(): Promise<Codes> {
  return { ...(await codesOf(factsSnapshot)), tagged: (tag) => tagged[tag] ?? [] };
}

const groupings = [
  null,
  "provider",
  "topic",
  "prompt",
  "region",
  "branded",
  "surface",
  { models: [modelCode("two"), modelCode("three"), modelCode("one")] },
  { models: [] },
  { sets: [0, 2, 1, 2], members: [] },
] as const;

const domainMetrics = ["mentions", "visibility", "citations"] as const;

async function insightReplies(
  engine: FactsEngine,
  generation: string,
  { account, ...asked }: Questions & { readonly account: string },
): Promise<readonly unknown[]> {
  const codes = await taggedCodes();
  const entities = factsSnapshot.entities.length;
  const found: unknown[] = [];
  for (const [place, question] of asked.series.entries()) {
    const plan = planCountedSeries(question, { codes, entities });
    found.push(plan && (await engine.countedSeries(account, { generation, plan }, neverAborted)));
    const groupBy = groupings[place % groupings.length] ?? null;
    const listed = [null, [], [1], [2, entities]][place % 4] ?? null;
    const withPortrayal = place % 4 < 2;
    const of = { groupBy, listed, byWeek: place % 3 === 0, withPortrayal };
    const sums = planPromptSums(question.selection, of, codes);
    const planned = sums && { generation, plan: sums };
    found.push(planned && inOrder(await engine.promptSums(account, planned, neverAborted)));
    const days = planDaySums(question.selection, of, codes);
    const byDay = days && { generation, plan: days };
    found.push(byDay && inOrder(await engine.daySums(account, byDay, neverAborted)));
    const asked = [...Array(place % 5).keys()].map((prompt) => promptKey(prompt, place % 3));
    const named = asked.map((prompt) => entityKey(prompt, 1 + (place % entities)));
    const oneSided = { asked, voiced: asked.slice(1), named, read: named.slice(1) };
    const pairPlan = sums && { ...sums, oneSided };
    const pairPlanned = pairPlan && { generation, plan: pairPlan };
    found.push(pairPlanned && rowsIn(await engine.pairSums(account, pairPlanned, neverAborted)));
    const rate = { entity: 1 + (place % entities), metric: domainMetrics[place % 3] ?? "mentions" };
    const hits = planDomainHits(question.selection, rate, codes);
    const shared = hits && { generation, plan: hits };
    found.push(shared && inOrder(await engine.domainHits(account, shared, neverAborted)));
    const looked = { groupBy, sequences: [place + 1, 2, 5, 9, 99], entities: [1, entities] };
    const readings = planReadings(question.selection, looked, codes);
    const reading = readings && { generation, plan: readings };
    found.push(reading && inOrder(await engine.readings(account, reading, neverAborted)));
    const languages = planLanguages(question.selection, { groupBy, listed }, codes);
    const ofLanguages = languages && { generation, plan: languages };
    found.push(
      ofLanguages && addedUp("answers", await engine.languages(account, ofLanguages, neverAborted)),
    );
    const origins = planOrigins(question.selection, { groupBy, byWeek: place % 2 === 1 }, codes);
    const stability = planStability(question.selection, groupBy, codes);
    if (origins === null || stability === null) continue;
    const ofOrigins = { generation, plan: origins };
    found.push(addedUp("answers", await engine.origins(account, ofOrigins, neverAborted)));
    const pairs = { generation, plan: stability };
    found.push(addedUp("pairs", await engine.stability(account, pairs, neverAborted)));
    const measured = planMeasurement(question.selection, { codes, entities });
    if (measured === null) continue;
    const asking = { generation, plan: measured };
    found.push(measurementInOrder(await engine.measurement(account, asking, neverAborted)));
  }
  return [...found, ...(await sourceReplies(engine, generation, { account, ...asked }))];
}

const lifeGroupings = ["page", "domain", "provider"] as const;

async function sourceReplies(
  engine: FactsEngine,
  generation: string,
  { account, sources }: Pick<Questions, "sources"> & { readonly account: string },
): Promise<readonly unknown[]> {
  const codes = await taggedCodes();
  const found: unknown[] = [];
  for (const [place, question] of sources.entries()) {
    const [domain = ""] = factsSnapshot.entities.flatMap(({ domains }) => domains);
    const lists = { domains: [domain], isNegated: place % 4 === 1, pages: ["https://a.example/"] };
    const named = place % 2 === 0 ? null : lists;
    const page = planSourceGaps(question, { codes, named });
    const other = sources[place - 1];
    const compare = other === undefined ? null : planSourceGaps(other, { codes, named });
    const names = planCitedNames(question.selection, { ...question, domains: null }, codes);
    const cited =
      names && (await engine.citedNames(account, { generation, plan: names }, neverAborted));
    found.push(cited && inOrder(cited));
    const listing = { limit: 3, after: null, entities: [1, 2], textsFromMs: 0 };
    const searching = planQueries(question.selection, listing, codes);
    if (searching !== null) {
      const asking = { generation, plan: searching };
      const queries = await engine.searchQueries(account, asking, neverAborted);
      const { answers, appearances, ...rest } = queries;
      found.push({ ...rest, rows: [answers, appearances].map(inOrder) });
    }
    const naming = planNames(question.selection, 0, codes);
    if (naming !== null) {
      const counts = await engine.nameCounts(account, { generation, plan: naming }, neverAborted);
      const numbers = counts.map(({ number }) => number);
      const asking = { generation, plan: { plan: naming, numbers, page: numbers.slice(0, 2) } };
      const spread = await engine.nameSpread(account, asking, neverAborted);
      const { domains, unknown } = await engine.namesPage(account, asking, neverAborted);
      const asked = { generation, plan: [0, 1, 2, 3] };
      const words = await engine.nameWords(account, asked, neverAborted);
      const firsts = { generation, plan: { plan: naming, names: counts } };
      const places = await engine.namePlaces(account, firsts, neverAborted);
      found.push([counts, words, inOrder(spread), places, domains, unknown]);
    }
    const by = lifeGroupings[place % lifeGroupings.length] ?? "page";
    const lived = planLife(question.selection, by, codes);
    if (lived !== null) {
      const lives = { generation, plan: lived };
      found.push(inOrder(await engine.citationLives(account, lives, neverAborted)));
    }
    if (page === null) continue;
    const compared = compare && { ...compare, groupBy: page.groupBy };
    const continuing = compared && place % 3 === 0 ? { page: compared, compare: page } : null;
    const plan = { page, compare: compared, continuing };
    const gaps = await engine.sourceGaps(account, { generation, plan }, neverAborted);
    const { compared: sums } = gaps;
    const sides = [sums?.before, sums?.after, sums?.continuing?.before, sums?.continuing?.after];
    found.push({
      ...gaps,
      compared: sides.map((side) =>
        [side?.prompts ?? [], side?.pairs ?? [], side?.days ?? []].map(inOrder),
      ),
    });
  }
  return found;
}

/** Equal rows may come in several parts, of which a column is added up. */
function addedUp<Name extends string>(
  column: Name,
  rows: readonly Readonly<Record<Name, number>>[],
): object {
  const sums = new Map<string, number>();
  for (const { [column]: sum, ...row } of rows) {
    const key = JSON.stringify(row);
    sums.set(key, (sums.get(key) ?? 0) + sum);
  }
  return new Map([...sums].sort());
}

/** The same of columns. */
function rowsIn(columns: Readonly<Record<string, Float64Array>>): readonly string[] {
  const [first = []] = Object.values(columns);
  return inOrder(
    Array.from(first, (_, row) => Object.values(columns).map((column) => column[row] ?? null)),
  );
}

/** Rows come in no order. */
function inOrder(rows: readonly object[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}

function measurementInOrder(measured: MeasurementFacts): object {
  const { origins, models, prompts, unanswered, pairs, days, knowsUnanswered } = measured;
  const rows = [origins, models, prompts, unanswered, pairs].map(inOrder);
  return { rows, days, knowsUnanswered };
}

/** Questions of each kind. */
export const arbitraryAsked = fc.record({
  series: fc.array(arbitrarySeries, { minLength: 3, maxLength: 5 }),
  sources: fc.array(arbitrarySources, { minLength: 3, maxLength: 5 }),
  lists: fc.array(arbitraryEvidence, { minLength: 3, maxLength: 5 }),
});

/** Questions of each kind. */
export type Questions = typeof arbitraryAsked extends fc.Arbitrary<infer Value> ? Value : never;

/** Batches of facts. */
export const arbitraryBatches = fc.array(
  fc.array(arbitraryAskedFact, { minLength: 1, maxLength: 12 }),
  {
    minLength: 1,
    maxLength: 4,
  },
);

const wholeTime = {
  fromMs: Date.UTC(2020, 0, 1),
  toMs: Date.UTC(2030, 0, 1),
  providers: null,
  topicIds: null,
  promptIds: null,
  regions: null,
  models: null,
  surfaces: null,
  tags: null,
  branded: null,
  exclude: null,
};

/** Every place of a list, page by page; each page says the same total. */
async function listedPlaces(
  engine: FactsEngine,
  generation: string,
  question: EvidenceQuestion,
): Promise<readonly AnswerPlace[]> {
  const codes = await taggedCodes();
  const entityIds = factsSnapshot.entities.map(({ id }) => id);
  const listed: AnswerPlace[] = [];
  for (;;) {
    const plan = planPlaces({ ...question, after: listed.at(-1) ?? null }, { codes, entityIds });
    if (plan === null) return listed;
    const found = await engine.places(accountId, { generation, plan }, neverAborted);
    const isLast = found.places.length <= question.limit;
    listed.push(...found.places.slice(0, question.limit));
    assert.equal(found.places.length <= question.limit + 1, true);
    if (isLast) {
      assert.equal(found.total, listed.length);
      return listed;
    }
  }
}

/** Which of the facts a list has, by plain rules; their places are those of the batches. */
function expectedPlaces(
  facts: readonly AskedFact[],
  { selection, entityId, role, cites }: EvidenceQuestion,
): readonly AnswerPlace[] {
  const known = factsSnapshot.entities.map(({ id }) => id);
  const wanted = entityId === null ? known.map((_, index) => index) : [known.indexOf(entityId)];
  if (wanted.includes(-1)) return [];
  const isIn = (items: readonly number[]) => items.some((each) => wanted.includes(each));
  const says = (flag: PortrayalFlag) => (fact: Fact) =>
    wanted.some((entity) => saidOf(fact, entity).includes(flag));
  const roles = {
    mentioned: ({ mentions }: Fact) => isIn(mentions),
    cited: ({ cited }: Fact) => isIn(cited),
    visible: ({ mentions, cited }: Fact) => isIn(mentions) || isIn(cited),
    notVisible: ({ mentions, cited }: Fact) => !isIn(mentions) && !isIn(cited),
    any: () => true,
    both: ({ mentions, cited }: Fact) => isIn(mentions) && isIn(cited),
    mentionedOnly: ({ mentions, cited }: Fact) => isIn(mentions) && !isIn(cited),
    citedOnly: ({ mentions, cited }: Fact) => isIn(cited) && !isIn(mentions),
    recommended: says("recommended"),
    praised: says("praised"),
    criticized: says("criticized"),
    discouraged: says("discouraged"),
    notFound: says("notFound"),
  };
  return facts
    .map((fact, index) => ({ fact, sequence: index + 1, answeredAtMs: fact.answeredAt }))
    .filter(({ fact: { outcome = "answered" } }) => outcome === "answered")
    .filter(({ fact }) => passes(fact, selection) && roles[role](fact) && isCiting(fact, cites))
    .map(({ sequence, answeredAtMs }) => ({ sequence, answeredAtMs }))
    .toSorted((a, b) => b.answeredAtMs - a.answeredAtMs || b.sequence - a.sequence);
}

function isCiting({ pages }: Fact, cites: CitedSource | null): boolean {
  if (cites === null) return true;
  return pages
    .map(pageOf)
    .some(
      ({ url, domain }) =>
        (cites.domain ?? domain) === domain && (cites.url === null || cites.url === url),
    );
}

function passes(fact: Fact, selection: Selection): boolean {
  const { fromMs, toMs, providers, topicIds, promptIds, regions, branded, exclude } = selection;
  const { models, surfaces, tags } = selection;
  const prompt = factsSnapshot.prompts[fact.prompt];
  const isOf = (items: readonly string[] | null, item: string | null | undefined) =>
    items === null || (item != null && items.includes(item));
  const isIn = (items: readonly string[] | null = [], item: string | null | undefined) =>
    items !== null && item != null && items.includes(item);
  const hasTag = (items: readonly string[]) =>
    items.some((tag) => tagged[tag]?.includes(fact.prompt));
  return (
    !isIn(exclude?.providers, fact.provider) &&
    !isIn(exclude?.topicIds, prompt?.topicId) &&
    !isIn(exclude?.promptIds, prompt?.id) &&
    !isIn(exclude?.regions, fact.region) &&
    !isIn(exclude?.models, fact.model) &&
    !isIn(exclude?.surfaces, fact.surface) &&
    isOf(models, fact.model) &&
    isOf(surfaces, fact.surface) &&
    !hasTag(exclude?.tags ?? []) &&
    (tags === null || hasTag(tags)) &&
    fact.answeredAt >= fromMs &&
    fact.answeredAt < toMs &&
    isOf(providers, fact.provider) &&
    isOf(topicIds, prompt?.topicId) &&
    isOf(promptIds, prompt?.id) &&
    isOf(regions, fact.region) &&
    (branded === null || branded === prompt?.branded)
  );
}

type Place = (t: TestContext) => Promise<FactsEngine>;

const contract: Readonly<Record<string, (t: TestContext, engineOf: Place) => Promise<void>>> = {
  "facts that are begun are none until they are finished": async (t, engineOf) => {
    const engine = await engineOf(t);
    assert.equal(await engine.state(accountId), null);
    const { generation, mark } = await engine.begin(accountId, factsSnapshot);
    assert.equal(mark.sequence, 0);
    assert.equal(await engine.state(accountId), null);
    const rows = await rowsAfter(0);
    const appended = await engine.append(accountId, generation, rows);
    assert.deepEqual(appended.mark, rows.mark);
    await engine.finish(accountId, generation);
    const state = await engine.state(accountId);
    assert.deepEqual([state?.generation, state?.mark], [generation, rows.mark]);
    assert.deepEqual(state?.snapshot, factsSnapshot);
    assert.deepEqual((await engine.state(accountId))?.snapshot, state?.snapshot);
    assert.equal(await engine.repair(accountId), null);
  },

  "a generation answers until the next one is finished, and then no more": async (t, engineOf) => {
    const engine = await engineOf(t);
    const first = await filled(engine, []);
    const second = await engine.begin(accountId, factsSnapshot);
    const rows = await rowsAfter(0);
    await engine.append(accountId, first, rows);
    assert.equal((await engine.state(accountId))?.generation, first);
    await engine.append(accountId, second.generation, rows);
    await engine.finish(accountId, second.generation);
    assert.equal((await engine.state(accountId))?.generation, second.generation);
    const codes = await taggedCodes();
    const of = { groupBy: null, listed: null, byWeek: false, withPortrayal: false };
    const plan = planPromptSums(wholeTime, of, codes);
    const [page] = fc.sample(arbitrarySources, { numRuns: 1, seed: 1 });
    assert.ok(plan !== null && page !== undefined);
    const gaps = planSourceGaps({ ...page, selection: wholeTime }, { codes, named: null });
    assert.ok(gaps !== null);
    const pages = { page: gaps, compare: null, continuing: null };
    const gone = [
      () => engine.promptSums(accountId, { generation: first, plan }, neverAborted),
      () => engine.sourceGaps(accountId, { generation: first, plan: pages }, neverAborted),
      () => engine.append(accountId, first, rows),
      () => engine.coverage(accountId, first, neverAborted),
      () => engine.extend(accountId, first, factsSnapshot),
      () => engine.finish(accountId, first),
      () => engine.append(otherAccount, first, rows),
    ];
    for (const each of gone) await assert.rejects(each(), GenerationGoneError);
  },

  "a generation that was begun is replaced by the next one": async (t, engineOf) => {
    const engine = await engineOf(t);
    const { generation } = await engine.begin(accountId, factsSnapshot);
    await engine.begin(accountId, factsSnapshot);
    await assert.rejects(engine.finish(accountId, generation), GenerationGoneError);
    const rows = await rowsAfter(0);
    await assert.rejects(engine.append(accountId, generation, rows), GenerationGoneError);
  },

  "a snapshot is extended, and skipped prompts are kept": async (t, engineOf) => {
    const engine = await engineOf(t);
    const generation = await filled(engine, [[fact]]);
    const [prompt, ...others] = factsSnapshot.prompts;
    assert.ok(prompt !== undefined);
    const added = { ...prompt, id: "30000000-0000-4000-8000-000000000009" };
    const topics = [...factsSnapshot.topics, "10000000-0000-4000-8000-000000000009"];
    const more: Snapshot = { ...factsSnapshot, topics, prompts: [prompt, ...others, added] };
    const extended = await engine.extend(accountId, generation, more);
    assert.deepEqual(extended.snapshot, more);
    const skippedPrompts = [added.id, prompt.id, added.id];
    const rows = { ...(await rowsAfter(1)), skippedPrompts };
    const state = await engine.append(accountId, generation, rows);
    assert.deepEqual(state.skippedPrompts, new Set(skippedPrompts));
    const found = await engine.state(accountId);
    assert.deepEqual(found?.snapshot, more);
    assert.deepEqual(found?.skippedPrompts, new Set(skippedPrompts));
  },

  "a question whose signal aborts throws the signal's reason": async (t, engineOf) => {
    const engine = await engineOf(t);
    const generation = await filled(engine, [[fact]]);
    const asking = engine.coverage(accountId, generation, AbortSignal.abort());
    await assert.rejects(asking, { name: "AbortError" });
  },

  "a list has the answers that count, newest first, page by page": async (t, engineOf) => {
    const engine = await engineOf(t);
    const property = fc.asyncProperty(
      arbitraryBatches,
      fc.array(arbitraryEvidence, { minLength: 4, maxLength: 8 }),
      async (batches, questions) => {
        const generation = await filled(engine, batches);
        for (const question of questions) {
          const listed = await listedPlaces(engine, generation, question);
          assert.deepEqual(listed, expectedPlaces(batches.flat(), question));
        }
      },
    );
    await fc.assert(property, { numRuns: 12, seed: 20_260_105 });
  },

  "a measurement counts answers, days, models, outcomes and pairs": async (t, engineOf) => {
    const engine = await engineOf(t);
    const codes = await taggedCodes();
    const property = fc.asyncProperty(
      arbitraryBatches,
      fc.array(arbitrarySeries, { minLength: 3, maxLength: 5 }),
      async (batches, questions) => {
        const generation = await filled(engine, batches);
        for (const { selection } of [{ selection: wholeTime }, ...questions]) {
          const plan = planMeasurement(selection, { codes, entities: 3 });
          if (plan === null) continue;
          const found = await engine.measurement(accountId, { generation, plan }, neverAborted);
          const expected = measurementOf(batches.flat(), (each) => passes(each, selection));
          assert.deepEqual(measurementInOrder(found), measurementInOrder(expected));
        }
      },
    );
    await fc.assert(property, { numRuns: 12, seed: 20_260_106 });
  },

  "accounts do not meet": async (t, engineOf) => {
    const engine = await engineOf(t);
    const account = otherAccount;
    const generation = await filled(engine, [[fact, fact, fact]]);
    const theirs = await filled(engine, [[fact]], { account });
    const { answers } = await engine.coverage(accountId, generation, neverAborted);
    assert.equal(answers, 3);
    assert.equal((await engine.coverage(account, theirs, neverAborted)).answers, 1);
    const asking = engine.coverage(account, generation, neverAborted);
    await assert.rejects(asking, GenerationGoneError);
  },
};

/** Tests that any FactsEngine passes, over a new and empty place for each. */
export function testFactsEngine(engine: string, engineOf: Place): void {
  for (const [name, check] of Object.entries(contract)) {
    test(`${engine}: ${name}`, (t) => check(t, engineOf));
  }
}
