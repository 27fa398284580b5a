import assert from "node:assert/strict";
import { test } from "node:test";
import { type changeSchema, type EvidenceResponse, evidenceRoles } from "@sightline/contract";
import { assertClose } from "@sightline/test-kit/oracle/close.ts";
import type { Asked } from "@sightline/test-kit/oracle/compared.ts";
import {
  expectedCiting,
  expectedGaps,
  type GapsAsked,
  type SourceAsked,
} from "@sightline/test-kit/oracle/gaps.ts";
import { idOf } from "@sightline/test-kit/oracle/ids.ts";
import {
  expectedSummary,
  groupings,
  type SummaryAsked,
} from "@sightline/test-kit/oracle/insights.ts";
import type { Filters } from "@sightline/test-kit/oracle/model.ts";
import { pageAt, spellings } from "@sightline/test-kit/oracle/pages.ts";
import { answersOfPanel, arbitraryPanel } from "@sightline/test-kit/oracle/panel.ts";
import {
  arbitraryQuestion,
  type QuestionDraft,
} from "@sightline/test-kit/oracle/question-draft.ts";
import { oracleRuns, shrinkingBriefly } from "@sightline/test-kit/oracle/runs.ts";
import {
  type AnswerDraft,
  anchors,
  arbitraryAnswer,
  arbitraryScenario,
  arbitraryVersion,
  type Scenario,
} from "@sightline/test-kit/oracle/scenario.ts";
import { TrackedAccount } from "@sightline/test-kit/oracle/tracked-account.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import fc from "fast-check";
import type { z } from "zod";

const dayMs = 86_400_000;

type Change = z.infer<typeof changeSchema>;

/** The weeks before and after an anchor, with a draft's other filters; or the draft's range. */
const arbitraryWindow = fc.record({
  draft: arbitraryQuestion,
  window: fc.constantFrom("draft", "before", "after", "after", "around"),
});
type WindowDraft = typeof arbitraryWindow extends fc.Arbitrary<infer Value> ? Value : never;

const arbitraryInsight = fc.record({
  groupBy: fc.constantFrom("none", ...groupings),
  sourcesBy: fc.constantFrom("domain", "url"),
  orderBy: fc.constantFrom("citations", "opportunity", "opportunity"),
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
  // Places among the entities, in either case; one that there is not; null: not asked.
  listed: fc.option(fc.array(fc.tuple(fc.nat({ max: 5 }), fc.boolean()), { maxLength: 3 })),
  threshold: fc.constantFrom(undefined, undefined, 0, 0.1, 1),
  rankThreshold: fc.constantFrom(undefined, undefined, undefined, 0, 0.5, 100),
  limit: fc.constantFrom(1, 3, 20, 100),
  offset: fc.constantFrom(0, 0, 2, 200),
});
type InsightDraft = typeof arbitraryInsight extends fc.Arbitrary<infer Value> ? Value : never;

/** What changed at the anchor, mostly of all answers. */
const arbitraryComparison: fc.Arbitrary<InsightDraft> = fc
  .tuple(arbitraryInsight, fc.nat({ max: 3 }))
  .map(([draft, filtered]) => ({
    ...draft,
    after: { draft: draft.after.draft, window: "after" },
    before: { draft: (draft.before ?? draft.after).draft, window: "before" },
    isBare: filtered > 0,
  }));

/** What was asked, and what of it was told. */
const told = {
  asked: 0,
  refused: 0,
  intervals: 0,
  stable: 0,
  citing: 0,
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
  empty: new Set<string>(),
};

test("random accounts get the counts, intervals and verdicts of a naive oracle", async (t) => {
  const { questions, seed } = oracleRuns(400);
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
    for (const draft of drafts) await askBoth(service, account, draft);
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
    for (const draft of own) await askBoth(service, account, draft);
  }
  t.diagnostic(summary());
  // Agreement on nothing would prove nothing.
  const { empty, ...counts } = told;
  for (const [name, count] of Object.entries(counts)) assert.ok(count > 0, `${name}; ${summary()}`);
  assert.ok(told.tests > told.moved && empty.size >= 4, summary());
});

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

/** Asks for a summary and for sources. */
async function askBoth(
  service: TestService,
  account: TrackedAccount,
  draft: InsightDraft,
): Promise<void> {
  const { groupBy, sourcesBy, orderBy, limit, offset, isBare, withStability } = draft;
  const { threshold, rankThreshold } = draft;
  const entityIds = listedIds(account, draft);
  const after = askedOf(account, draft.after, isBare);
  const before = draft.before && askedOf(account, draft.before, isBare);
  const least = { threshold: threshold ?? 0.02, rankThreshold: rankThreshold ?? 0.1 };
  const asked = { after, before, ...least };
  const comparison = {
    ...(before === null ? {} : { compare: { filters: before.filters } }),
    ...(threshold === undefined ? {} : { threshold }),
  };
  const refused =
    [after, before].some((each) => each !== null && isRefused(each.filters)) ||
    (before !== null && countsTwice(after, before));
  const ask = async (path: string, body: object, expected: () => object) => {
    const reply = await service.post(path, { token: account.token, body });
    told.asked += 1;
    if (refused) {
      assert.equal(reply.status, 400, reply.body);
      told.refused += 1;
      return;
    }
    assert.equal(reply.status, 200, reply.body);
    note(reply.body);
    assertClose(reply.json(), expected(), `${path} ${JSON.stringify(body)}`);
  };
  const { filters } = after;
  const summaryAsked: SummaryAsked = {
    ...asked,
    groupBy,
    withStability,
    entityIds: entityIds === undefined || entityIds.length === 0 ? null : entityIds,
  };
  const include = withStability ? { include: ["stability"] } : {};
  const listed = {
    ...(entityIds === undefined ? {} : { entityIds }),
    ...(rankThreshold === undefined ? {} : { rankThreshold }),
  };
  await ask(
    "/v1/insights/summary",
    { groupBy, filters, ...listed, ...include, ...comparison },
    () => expectedSummary(account, summaryAsked),
  );
  const source = draft.source && sourceOf(account, draft.source);
  const gapsAsked: GapsAsked = {
    ...asked,
    groupBy: sourcesBy,
    orderBy,
    limit,
    offset,
    listed: source?.asked ?? null,
  };
  const order = orderBy === "citations" ? {} : { orderBy };
  const page = { groupBy: sourcesBy, limit, offset, ...order, ...source?.body };
  await ask("/v1/insights/sources", { ...page, filters, ...comparison }, () =>
    expectedGaps(account, gapsAsked),
  );
  if (source === null || refused) return;
  const entityId = account.workspace.entities[0]?.id ?? "";
  const citing = { entityId, role: draft.role };
  const body = { ...citing, ...source.body, filters, limit: 1 };
  const reply = await service.post("/v1/evidence", { token: account.token, body });
  const expected = expectedCiting(account, after, { ...citing, source: source.asked });
  assert.equal(reply.json<EvidenceResponse>().total, expected, JSON.stringify(body));
  told.citing += expected;
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
  told.intervals += count('"interval":{');
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

function askedOf(account: TrackedAccount, { draft, window }: WindowDraft, isBare: boolean): Asked {
  const { body, fromMs, toMs } = account.question(draft as QuestionDraft);
  const place = account.answers.map(({ at }) => at).sort((a, b) => a - b);
  const anchor = anchorOf(place);
  const weeks = {
    draft: [fromMs, toMs],
    before: [anchor - 10 * dayMs, anchor],
    after: [anchor, anchor + 10 * dayMs],
    around: [anchor - 5 * dayMs, anchor + 12 * dayMs],
  } as const;
  const [start, end] = weeks[window];
  if (window === "draft") return { filters: body.filters, fromMs, toMs };
  const [from, to] = [start, end].map((ms) => new Date(ms).toISOString());
  const others = isBare ? {} : body.filters;
  const filters: Filters = { ...others, timeRange: { from: from ?? "", to: to ?? "" } };
  return { filters, fromMs: start, toMs: end };
}

/** The anchor nearest to an account's answers, and far from the ends of time. */
function anchorOf(times: readonly number[]): number {
  const middle = times[Math.floor(times.length / 2)] ?? 0;
  const [first = 0] = anchors;
  return anchors
    .slice(0, 8)
    .reduce(
      (best, each) => (Math.abs(each - middle) < Math.abs(best - middle) ? each : best),
      first,
    );
}

/** Whether two sides differ in their time alone, and have some of it in common. */
function countsTwice(after: Asked, before: Asked): boolean {
  if (before.toMs <= after.fromMs || after.toMs <= before.fromMs) return false;
  const set = (items: readonly string[] = []) => [...new Set(items)].sort().join().toLowerCase();
  const others = ({ filters: { providers, topics, promptIds, regions, branded } }: Asked) => [
    ...[set(providers), set(topics?.map(({ id }) => id)), set(promptIds)],
    ...[set(regions?.map(({ code }) => code)), branded],
  ];
  return JSON.stringify(others(after)) === JSON.stringify(others(before));
}

function isRefused({ topics = [], promptIds = [] }: Filters): boolean {
  return topics.length > 0 && promptIds.length > 0;
}
