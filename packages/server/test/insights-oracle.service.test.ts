import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type changeSchema,
  type EvidenceResponse,
  type estimatedValueSchema,
  evidenceRoles,
  type InsightsChangesResponse,
  type InsightsPlanResponse,
  type InsightsSummaryResponse,
} from "@sightline/contract";
import { expectedLife } from "@sightline/test-kit/oracle/citation-life.ts";
import { assertClose } from "@sightline/test-kit/oracle/close.ts";
import type { Asked } from "@sightline/test-kit/oracle/compared.ts";
import {
  divisions,
  expectedChanges,
  expectedPlan,
  type PlanAsked,
} from "@sightline/test-kit/oracle/explained.ts";
import {
  expectedCiting,
  expectedGaps,
  type GapsAsked,
  type SourceAsked,
} from "@sightline/test-kit/oracle/gaps.ts";
import { idOf } from "@sightline/test-kit/oracle/ids.ts";
import {
  expectedPresence,
  expectedSummary,
  groupings,
  metricNames,
  type SummaryAsked,
} from "@sightline/test-kit/oracle/insights.ts";
import { pageAt, spellings } from "@sightline/test-kit/oracle/pages.ts";
import { answersOfPanel, arbitraryPanel } from "@sightline/test-kit/oracle/panel.ts";
import { oracleRuns, shrinkingBriefly } from "@sightline/test-kit/oracle/runs.ts";
import { saidNames } from "@sightline/test-kit/oracle/said.ts";
import {
  type AnswerDraft,
  anchors,
  arbitraryAnswer,
  arbitraryScenario,
  arbitraryVersion,
  type Scenario,
} from "@sightline/test-kit/oracle/scenario.ts";
import { TrackedAccount } from "@sightline/test-kit/oracle/tracked-account.ts";
import {
  arbitraryWindow,
  askedOf,
  countsTwice,
  dayPlansOf,
  isRefused,
} from "@sightline/test-kit/oracle/window-draft.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import fc from "fast-check";
import type { z } from "zod";

import { builtInPrices } from "../src/collection/price-list.ts";
import { extractionVersion } from "../src/facts/snapshot.ts";

type Change = z.infer<typeof changeSchema>;
type Trend = NonNullable<z.infer<typeof estimatedValueSchema>["trend"]>;

const dayMs = 86_400_000;

const arbitraryInsight = fc.record({
  groupBy: fc.constantFrom("none", ...groupings),
  sourcesBy: fc.constantFrom("domain", "url"),
  life: fc.constantFrom("class", "provider", "domain", "page"),
  orderBy: fc.constantFrom("citations", "opportunity", "opportunity"),
  classes: fc.constantFrom(null, null, ["code"], ["other", "forum"]),
  forms: fc.constantFrom(null, null, ["documentation", "list"], ["other"]),
  source: fc.option(
    fc.record({
      page: fc.nat({ max: 12 }),
      spelling: fc.constantFrom(...spellings),
      named: fc.constantFrom("domain", "url", "both", "another"),
    }),
  ),
  role: fc.constantFrom(...evidenceRoles),
  after: arbitraryWindow,
  before: fc.option(arbitraryWindow, { freq: 3 }),
  isBare: fc.boolean(),
  withStability: fc.boolean(),
  withFacts: fc.boolean(),
  // Places among the entities, in either case; one that there is not; null: not asked.
  listed: fc.option(fc.array(fc.tuple(fc.nat({ max: 5 }), fc.boolean()), { maxLength: 3 })),
  threshold: fc.constantFrom(undefined, undefined, 0, 0.1, 1),
  rankThreshold: fc.constantFrom(undefined, undefined, undefined, 0, 0.5, 100),
  by: fc.constantFrom(...divisions),
  metric: fc.constantFrom(...metricNames),
  of: fc.nat({ max: 5 }),
  plan: fc.record({
    change: fc.constantFrom(undefined, 0.03, 0.1, 2),
    power: fc.constantFrom(undefined, 0.6, 0.95),
    answersPerPrompt: fc.constantFrom(undefined, undefined, 1, 5),
  }),
  limit: fc.constantFrom(1, 3, 20, 100),
  offset: fc.constantFrom(0, 0, 2, 200),
  said: fc.option(fc.constantFrom(...saidNames)),
  withPortrayal: fc.constantFrom(undefined, true, true, false),
});
type InsightDraft = typeof arbitraryInsight extends fc.Arbitrary<infer Value> ? Value : never;

/** What changed at the anchor, mostly of all answers. */
const arbitraryComparison: fc.Arbitrary<InsightDraft> = fc
  .tuple(arbitraryInsight, fc.nat({ max: 3 }))
  .map(([draft, filtered]) => ({
    ...draft,
    after: { ...draft.after, window: "after" },
    before: { ...(draft.before ?? draft.after), window: "before" },
    isBare: filtered > 0,
  }));

const [extraction, suffixList, , unicode] = extractionVersion.split(", ");
const ofService = {
  versions: { extraction, suffixList, unicode: unicode?.replace("Unicode ", "") },
  pricesDate: builtInPrices.date,
};

/** What was asked, and what of it was told. */
const told = {
  asked: 0,
  refused: 0,
  intervals: 0,
  stable: 0,
  retested: 0,
  unanswered: 0,
  citing: 0,
  said: 0,
  unread: 0,
  tests: 0,
  moved: 0,
  insufficient: 0,
  discontinuous: 0,
  continuing: 0,
  ended: 0,
  fewDays: 0,
  enoughDays: 0,
  mix: 0,
  promptsAdded: 0,
  contributions: 0,
  planned: 0,
  assumed: 0,
  empty: new Set<string>(),
};

test("random accounts get the counts, intervals and verdicts of a naive oracle", async (t) => {
  const { questions, seed } = oracleRuns(900);
  const service = await TestService.start();
  t.after(() => service.close());
  let accounts = 0;
  const live = shrinkingBriefly(async (scenario: Scenario, drafts: readonly InsightDraft[]) => {
    const account = new TrackedAccount({ accountId: idOf("account", accounts++) });
    for (const [index, { version, imports, repeated }] of scenario.steps.entries()) {
      const declared = scenario.versions[version % scenario.versions.length];
      assert.ok(declared !== undefined);
      await account.apply(service, declared);
      for (const answers of imports) await account.import(service, answers, repeated);
      if (index === 0) account.token = await service.session(account.accountId);
    }
    for (const draft of drafts) await askAll(service, account, draft);
  });
  const drafts = fc.array(arbitraryInsight, { minLength: 4, maxLength: 4 });
  for (let round = 0; told.asked < questions; round += 1) {
    const property = fc.asyncProperty(arbitraryScenario, drafts, live);
    await fc.assert(property, { numRuns: 5, seed: seed + round });
  }
  t.diagnostic(summary());
});

test("accounts of many answers get them too, with verdicts", async (t) => {
  const { questions, seed } = oracleRuns(300);
  const service = await TestService.start();
  t.after(() => service.close());
  const sampled = <Item>(arbitrary: fc.Arbitrary<Item>, numRuns: number): readonly Item[] =>
    fc.sample(arbitrary, { seed, numRuns });
  const pool = sampled(arbitraryAnswer(anchors.slice(0, 1), 4), 1_500);
  const panels = sampled(arbitraryPanel, 7).map((panel, place) =>
    answersOfPanel(panel, [...pool.slice(place * 100), ...pool.slice(0, place * 100)]),
  );
  const all = [changedAtAnchor(pool), ...panels];
  const versions = sampled(arbitraryVersion(4), all.length);
  const drafts = sampled(fc.oneof(arbitraryInsight, arbitraryComparison), questions);
  for (const [place, answers] of all.entries()) {
    const account = new TrackedAccount({ accountId: idOf("account", place) });
    const version = versions[place];
    assert.ok(version !== undefined);
    const prompts = version.prompts.map((prompt) => ({ ...prompt, tracked: true }));
    await account.apply(service, { ...version, prompts });
    account.token = await service.session(account.accountId);
    await account.import(service, answers, 0);
    const own = drafts.filter((_, index) => index % all.length === place);
    for (const draft of own) await askAll(service, account, draft);
    for (const each of dayPlansOf(account)) await askPlan(service, account, each);
  }
  t.diagnostic(summary());
  // Agreement on nothing would prove nothing.
  const { empty, ...counts } = told;
  for (const [name, count] of Object.entries(counts)) assert.ok(count > 0, `${name}; ${summary()}`);
  assert.ok(told.tests > told.moved && empty.size >= 4, summary());
});

test("accounts of many weeks get their trends", async (t) => {
  const { questions, seed } = oracleRuns(60);
  const service = await TestService.start();
  t.after(() => service.close());
  const pool = fc.sample(arbitraryAnswer(anchors.slice(0, 1), 4), { seed, numRuns: 700 });
  const loud = pool.find(({ words }) => words.length > 2);
  const panels = fc.sample(arbitraryPanel, { seed, numRuns: 2 });
  const versions = fc.sample(arbitraryVersion(4), { seed, numRuns: panels.length });
  const found = { trends: 0, tested: 0, moved: 0, late: 0, none: 0 };
  for (const [place, panel] of panels.entries()) {
    const account = new TrackedAccount({ accountId: idOf("account", place) });
    const version = versions[place];
    assert.ok(version !== undefined);
    const prompts = version.prompts.map((prompt) => ({ ...prompt, tracked: true }));
    await account.apply(service, { ...version, prompts });
    account.token = await service.session(account.accountId);
    // Few answers a day over eight weeks, more of which name somebody in the end.
    const every: readonly [number, number] = [3, 2];
    const [from, weeks] = [(anchors[0] ?? 0) - 50 * dayMs, 8];
    const rounds = panel.rounds.slice(0, 3).map((round) => ({ ...round, every }));
    const answers = answersOfPanel({ ...panel, rounds, daysBefore: 50 }, pool).map((answer, at) => {
      const week = (answer.at - from) / (7 * dayMs);
      const model = place > 0 && week < 1 ? "beta" : answer.model;
      return { ...answer, model, words: at % weeks < week ? (loud?.words ?? []) : [] };
    });
    await account.import(service, answers, 0);
    for (let asked = 0; asked < questions / panels.length; asked += 1) {
      const fromMs = from + (asked % 5) * 5 * dayMs;
      const toMs = (anchors[0] ?? 0) + ((asked % 3) * 5 - 1) * dayMs;
      const [start, end] = [fromMs, toMs].map((ms) => new Date(ms).toISOString());
      const filters = { timeRange: { from: start ?? "", to: end ?? "" } };
      const groupBy = groupings[asked % groupings.length] ?? "none";
      const body = { groupBy, filters, include: ["trend"] };
      const reply = await service.post("/v1/insights/summary", { token: account.token, body });
      assert.equal(reply.status, 200, reply.body);
      const expected = expectedSummary(account, {
        after: { filters, exclude: undefined, fromMs, toMs },
        before: null,
        threshold: 0.02,
        rankThreshold: 0.1,
        groupBy,
        withStability: false,
        withTrend: true,
        ofService: null,
        entityIds: null,
      });
      assertClose(reply.json(), expected, JSON.stringify(body));
      for (const { adjustedP, verdict, from: begin } of trendsIn(reply.json())) {
        found.trends += 1;
        found.tested += Number(adjustedP !== null);
        found.moved += Number(verdict === "moved");
        found.late += Number(Date.parse(begin) >= fromMs + 7 * dayMs);
      }
      found.none += reply.body.split('"trend":null').length - 1;
    }
  }
  t.diagnostic(JSON.stringify(found));
  for (const [name, count] of Object.entries(found)) assert.ok(count > 0, name);
});

/** Every trend of a reply. */
function trendsIn(json: unknown): readonly Trend[] {
  if (typeof json !== "object" || json === null) return [];
  const inside = Object.values(json).flatMap(trendsIn);
  return "slope" in json ? [json as Trend, ...inside] : inside;
}

/** What names nobody before the anchor, so that something moves; and a model that came with it. */
function changedAtAnchor(answers: readonly AnswerDraft[]): readonly AnswerDraft[] {
  return answers.map((answer) => {
    const isBefore = answer.at < (anchors[0] ?? 0);
    const isOther = answer.provider === "GEMINI" && isBefore && answer.model === "beta";
    const { words, model } = answer;
    return {
      ...answer,
      words: isBefore && answer.prompt % 2 === 0 ? [] : words,
      model: isOther ? "alpha" : model,
    };
  });
}

function summary(): string {
  const { empty, ...counts } = told;
  return `${JSON.stringify(counts)}, empty: ${[...empty].join(" ")}`;
}

const excluding = ({ exclude }: Asked) => (exclude === undefined ? {} : { exclude });

/** Asks, and compares the reply with the expected one; `isRefused`: or with a refusal. */
function asker(service: TestService, { token }: TrackedAccount, isRefused: boolean) {
  return async <Reply extends object>(
    path: string,
    body: object,
    expected: (reply: Reply) => object,
    isAllowed = true,
  ) => {
    const reply = await service.post(path, { token, body });
    told.asked += 1;
    if (isRefused || !isAllowed) {
      assert.equal(reply.status, 400, reply.body);
      told.refused += 1;
      return;
    }
    assert.equal(reply.status, 200, reply.body);
    note(reply.body);
    const wanted = expected(reply.json<Reply>());
    assertClose(withoutNames(reply.json()), wanted, `${path} ${JSON.stringify(body)}`);
  };
}

interface CitingDraft {
  readonly draft: InsightDraft;
  readonly window: Asked;
  readonly source: ReturnType<typeof sourceOf>;
}

/** Asks for a summary, for sources, for what a change consists of, and for a plan. */
async function askAll(
  service: TestService,
  account: TrackedAccount,
  draft: InsightDraft,
): Promise<void> {
  const { groupBy, sourcesBy, orderBy, classes, forms, limit, offset, isBare } = draft;
  const { withStability, withFacts } = draft;
  const { threshold, rankThreshold } = draft;
  const entityIds = listedIds(account, draft);
  const after = askedOf(account, draft.after, isBare);
  const before = draft.before && askedOf(account, draft.before, isBare);
  const least = { threshold: threshold ?? 0.02, rankThreshold: rankThreshold ?? 0.1 };
  const asked = { after, before, ...least };
  const comparison = {
    ...excluding(after),
    ...(before === null ? {} : { compare: { filters: before.filters, ...excluding(before) } }),
    ...(threshold === undefined ? {} : { threshold }),
  };
  const refused =
    [after, before].some((each) => each !== null && isRefused(each.filters)) ||
    (before !== null && countsTwice(after, before));
  const ask = asker(service, account, refused);
  const { filters } = after;
  const summaryAsked: SummaryAsked = {
    ...asked,
    groupBy,
    withStability,
    withTrend: false,
    ofService: withFacts ? ofService : null,
    withoutPortrayal: draft.withPortrayal === false,
    entityIds: entityIds === undefined || entityIds.length === 0 ? null : entityIds,
  };
  const parts = { stability: withStability, facts: withFacts };
  const include = Object.entries(parts).flatMap(([name, isAsked]) => (isAsked ? [name] : []));
  const listed = {
    ...(entityIds === undefined ? {} : { entityIds }),
    ...(rankThreshold === undefined ? {} : { rankThreshold }),
    ...(draft.withPortrayal === undefined ? {} : { portrayal: draft.withPortrayal }),
  };
  await ask("/v1/insights/summary", { groupBy, filters, ...listed, include, ...comparison }, () =>
    expectedSummary(account, summaryAsked),
  );
  const source = draft.source && sourceOf(account, draft.source);
  const gapsAsked: GapsAsked = {
    ...asked,
    groupBy: sourcesBy,
    orderBy,
    limit,
    offset,
    listed: source?.asked ?? null,
    classes,
    forms,
  };
  const page = { ...pageOf(draft), ...source?.body };
  await ask("/v1/insights/sources", { ...page, filters, ...comparison }, () =>
    expectedGaps(account, gapsAsked),
  );
  const entity = { entityId: entityOf(account, draft), metric: draft.metric };
  const { entityId } = entity;
  if (entityId !== "") {
    await ask("/v1/insights/presence", { entityId, filters, ...comparison }, () =>
      expectedPresence(account, { ...asked, entityId }),
    );
  }
  await askChanges(account, ask, { draft, asked, filters, comparison, entity });
  if (!refused) await askSaid(service, account, { window: after, entityId: entity.entityId });
  if (!isRefused(after.filters)) {
    await askLife(service, account, draft);
    await askPlan(service, account, { draft, window: after, entity });
  }
  if (source !== null && !refused) {
    await askCiting(service, account, { draft, window: after, source });
  }
}

interface ChangesDraft {
  readonly draft: InsightDraft;
  readonly asked: Pick<SummaryAsked, "after" | "before" | "threshold" | "rankThreshold">;
  readonly entity: { readonly entityId: string; readonly metric: InsightDraft["metric"] };
  readonly filters: object;
  readonly comparison: object;
}

/** Asks what a change consists of; nothing without one. */
async function askChanges(
  account: TrackedAccount,
  ask: ReturnType<typeof asker>,
  { draft, asked, entity, filters, comparison }: ChangesDraft,
): Promise<void> {
  const { before } = asked;
  if (before === null) return;
  const { by, limit, rankThreshold } = draft;
  const metric = draft.said ?? draft.metric;
  const explained = { ...asked, before, ...entity, metric, by, limit };
  const least = rankThreshold === undefined ? {} : { rankThreshold };
  await ask<InsightsChangesResponse>(
    "/v1/insights/changes",
    { ...entity, metric, by, limit, filters, ...comparison, ...least },
    ({ contributions }) => {
      told.contributions += contributions.length;
      return expectedChanges(
        account,
        explained,
        contributions.map(({ key }) => key),
      );
    },
    by !== "domain" || ["mentions", "visibility", "citations"].includes(metric),
  );
}

/** Asks how long citations last. */
async function askLife(
  service: TestService,
  account: TrackedAccount,
  draft: InsightDraft,
): Promise<void> {
  const after = askedOf(account, draft.after, draft.isBare);
  const life = { by: draft.life, limit: draft.limit };
  const body = { ...life, filters: after.filters, ...excluding(after) };
  await asker(service, account, false)("/v1/insights/citation-life", body, () =>
    expectedLife(account, { after, ...life }),
  );
}

/** A page of sources as it is asked for. */
function pageOf({ sourcesBy: groupBy, orderBy, classes, forms, limit, offset }: InsightDraft) {
  const order = orderBy === "citations" ? {} : { orderBy };
  const kinds = {
    ...(classes === null ? {} : { sourceClasses: classes }),
    ...(forms === null ? {} : { forms }),
  };
  return { groupBy, limit, offset, ...order, ...kinds };
}

/** Requires that the answers of each flag are as many as its numerator. */
async function askSaid(
  service: TestService,
  { token }: TrackedAccount,
  { window, entityId }: { readonly window: Asked; readonly entityId: string },
): Promise<void> {
  const of = { filters: window.filters, ...excluding(window) };
  const asked = { token, body: { groupBy: "none", entityIds: [entityId], ...of } };
  const summary = await service.post("/v1/insights/summary", asked);
  const { groups } = summary.json<InsightsSummaryResponse>();
  const portrayal = groups[0]?.entities[0]?.portrayal;
  for (const role of saidNames) {
    const body = { ...of, entityId, role, limit: 100 };
    const reply = await service.post("/v1/evidence", { token, body });
    const { total, answers } = reply.json<EvidenceResponse>();
    assert.equal(total, portrayal?.[role].numerator ?? 0, role);
    for (const { mentions } of answers) {
      const cues = mentions
        .filter((each) => each.entityId === entityId)
        .flatMap((each) => each.cues);
      assert.ok(
        cues.some(({ flag }) => flag === role),
        role,
      );
    }
  }
}

/** Asks for the answers that cite a source. */
async function askCiting(
  service: TestService,
  account: TrackedAccount,
  { draft, window, source }: CitingDraft,
): Promise<void> {
  const { filters } = window;
  const entityId = account.workspace.entities[0]?.id ?? "";
  const citing = { entityId, role: draft.role };
  const body = { ...citing, ...source.body, filters, ...excluding(window), limit: 1 };
  const reply = await service.post("/v1/evidence", { token: account.token, body });
  const expected = expectedCiting(account, window, { ...citing, source: source.asked });
  assert.equal(reply.json<EvidenceResponse>().total, expected, JSON.stringify(body));
  told.citing += expected;
}

/** Models with equally many answers come in any order: the oracle says how many there are. */
function withoutNames(reply: object): object {
  return JSON.parse(JSON.stringify(reply), (name, value: unknown) =>
    name === "named" && Array.isArray(value) ? value.length : value,
  );
}

interface PlanDraft {
  readonly draft: Pick<InsightDraft, "plan">;
  readonly window: Asked;
  readonly entity: Pick<PlanAsked, "entityId" | "metric">;
}

async function askPlan(
  service: TestService,
  account: TrackedAccount,
  { draft: { plan }, window, entity }: PlanDraft,
): Promise<void> {
  const body = { ...entity, ...plan, filters: window.filters, ...excluding(window) };
  const reply = await service.post("/v1/insights/plan", { token: account.token, body });
  const isTooMuch = entity.metric !== "rank" && (plan.change ?? 0) > 1;
  assert.equal(reply.status, isTooMuch ? 400 : 200, reply.body);
  if (isTooMuch) return;
  const { change = entity.metric === "rank" ? 0.5 : 0.05, power = 0.8, answersPerPrompt } = plan;
  const asked: PlanAsked = {
    ...entity,
    window,
    change,
    power,
    answersPerPrompt: answersPerPrompt === undefined ? [1, 2, 3, 7, 14, 28] : [answersPerPrompt],
  };
  const own = reply.json<InsightsPlanResponse>();
  assertClose(own, expectedPlan(account, asked, own), JSON.stringify(body));
  told.asked += 1;
  told.planned += Number(own.options.some(({ prompts }) => prompts !== null));
  told.assumed += Number(own.assumed);
}

/** One of an account's entities. */
function entityOf({ workspace: { entities } }: TrackedAccount, { of }: InsightDraft): string {
  return entities[of % Math.max(1, entities.length)]?.id ?? "";
}

function listedIds(
  { workspace: { entities } }: TrackedAccount,
  { listed }: InsightDraft,
): readonly string[] | undefined {
  return listed?.map(([place, isUpper]) => {
    const id = entities[place]?.id ?? "ffffffff-0000-4000-8000-000000000000";
    return isUpper ? id.toUpperCase() : id;
  });
}

/** A source as it is asked for, in some spelling, and as it is meant. */
function sourceOf(
  { mark }: TrackedAccount,
  { page, spelling, named }: NonNullable<InsightDraft["source"]>,
) {
  const [own, other] = [pageAt(page, mark), pageAt(page + 1, mark)];
  const domain = named === "url" ? null : own.domain;
  const meant = named === "domain" ? null : named === "another" ? other : own;
  const asked: SourceAsked = { domain, url: meant?.url ?? null };
  const body = {
    ...(domain === null ? {} : { domain: page % 2 === 0 ? domain : domain.toUpperCase() }),
    ...(meant === null ? {} : { url: meant.spelled(spelling) }),
  };
  return { asked, body };
}

function note(body: string): void {
  const count = (text: string) => body.split(text).length - 1;
  told.stable += count('"stability":{"value":0');
  told.retested += count('"entitiesDiffer":0');
  told.unanswered += count('"failed":{"answers":1');
  told.intervals += count('"interval":{');
  told.said += count('"recommended":{"value":0.');
  told.unread += count('"unread":1');
  for (const [, reason] of body.matchAll(/"reason":"(\w+)"/g)) told.empty.add(reason ?? "");
  for (const { adjustedP, verdict, flags, parts, continuing } of changesIn(JSON.parse(body))) {
    told.tests += Number(adjustedP !== null);
    told.moved += Number(verdict === "moved");
    told.insufficient += Number(verdict === "insufficient");
    told.discontinuous += Number(verdict === "discontinuous");
    told.continuing += Number(continuing !== null && continuing !== undefined);
    told.ended += Number(continuing === null);
    told.fewDays += Number(flags.includes("fewDays"));
    told.enoughDays += Number(adjustedP !== null && !flags.includes("fewDays"));
    told.mix += Number(parts !== null && Math.abs(parts.mix) > 1e-6);
    told.promptsAdded += Number(parts !== null && Math.abs(parts.promptsAdded) > 1e-6);
  }
}

/** Every change of a reply, those of what continues too. */
function changesIn(json: unknown): readonly Change[] {
  if (typeof json !== "object" || json === null) return [];
  const inside = Object.values(json).flatMap(changesIn);
  return "verdict" in json ? [json as Change, ...inside] : inside;
}
