import assert from "node:assert/strict";
import { test } from "node:test";
import type { InsightsSummaryRequest, InsightsSummaryResponse } from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import {
  sampleIds,
  sampleRange,
  sampleWorkspace,
  startSample,
} from "@sightline/test-kit/sample-account.ts";
import { sharedSample, sharedService } from "@sightline/test-kit/shared-sample.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";

const path = "/v1/insights/summary";

type Asking = Partial<InsightsSummaryRequest>;

async function ask(
  { service, token }: { readonly service: TestService; readonly token: string },
  asked: Asking,
): Promise<InsightsSummaryResponse> {
  const body = { groupBy: "none", filters: { timeRange: sampleRange }, ...asked };
  const reply = await service.post(path, { token, body });
  assert.equal(reply.status, 200, reply.body);
  assert.equal(reply.headers["content-type"], "application/json; charset=utf-8");
  (await ServedSchemas.of(service)).assertValid("InsightsSummaryResponseDto", reply.json());
  return reply.json<InsightsSummaryResponse>();
}

/** Groups by key, name, answers and how many of them mention Acme. */
function shown({ groups }: InsightsSummaryResponse): readonly string[] {
  return groups.map(
    ({ key, name, answers, entities }) =>
      `${key} ${name}: ${entities[0]?.mentions.numerator}/${answers}`,
  );
}

test("answers by provider, topic, prompt, region and branded, each group once", async () => {
  const sample = await sharedSample();
  const groups = async (groupBy: InsightsSummaryRequest["groupBy"]) =>
    shown(await ask(sample, { groupBy }));
  assert.deepEqual(await groups("none"), ["null All answers: 2/3"]);
  assert.deepEqual(await groups("provider"), ["OPENAI OPENAI: 1/2", "GROK GROK: 1/1"]);
  assert.deepEqual(await groups("topic"), [
    `${sampleIds.hosting} Hosting: 1/1`,
    `${sampleIds.storage} Storage: 1/2`,
  ]);
  assert.deepEqual(await groups("prompt"), [
    `${sampleIds.hostingPrompt} Is Acme good at hosting?: 1/1`,
    `${sampleIds.storagePrompt} Which storage?: 1/2`,
  ]);
  assert.deepEqual(await groups("region"), ["DE DE: 0/1", "US US: 1/1", "null No region: 1/1"]);
  assert.deepEqual(await groups("branded"), ["true Branded: 1/1", "false Not branded: 1/2"]);
});

test("models and surfaces: groups, filters and what is left out, the unknown apart", async () => {
  const service = await sharedService();
  const accountId = await service.apply({
    account: { name: "Models" },
    brand: { name: "Acme", domains: ["acme.com"] },
    prompts: [{ text: "Which one?" }],
  });
  const origins = ["OPENAI gpt-5 web", "OPENAI gpt-4 api", "COPILOT gpt-5 web", "GROK - -"];
  const answers = [...origins, "OPENAI gpt-5 api"].map((origin, hour) => {
    const [provider, model, surface] = origin
      .split(" ")
      .map((each) => (each === "-" ? null : each));
    const text = model === "gpt-5" ? "Acme." : "Nobody.";
    const citations = [{ url: `https://acme.com/${hour}` }];
    const answeredAt = `2026-01-05T0${hour}:00:00Z`;
    return { prompt: "Which one?", provider, answeredAt, text, model, surface, citations };
  });
  await service.import(accountId, answers);
  const token = await service.session(accountId);
  const groups = async (groupBy: InsightsSummaryRequest["groupBy"], asked: Asking = {}) =>
    shown(await ask({ service, token }, { groupBy, ...asked }));
  const unknown = "null Model not known: 0/1";
  assert.deepEqual(await groups("model"), ["gpt-4 gpt-4: 0/1", "gpt-5 gpt-5: 3/3", unknown]);
  const surfaces = ["api api: 1/2", "web web: 2/2", "null Surface not known: 0/1"];
  assert.deepEqual(await groups("surface"), surfaces);
  const of = (origin: object) => ({ filters: { timeRange: sampleRange, ...origin } });
  assert.deepEqual(await groups("none", of({ models: ["gpt-5", "none"] })), [
    "null All answers: 3/3",
  ]);
  assert.deepEqual(await groups("provider", of({ models: ["gpt-5"], surfaces: ["web"] })), [
    "OPENAI OPENAI: 1/1",
    "COPILOT COPILOT: 1/1",
  ]);
  assert.deepEqual(await groups("none", of({ models: ["GPT-5"] })), []);
  const without = { exclude: { models: ["gpt-5"], surfaces: ["api" as const] } };
  assert.deepEqual(await groups("model", without), [unknown]);
  const post = async (operation: string, body: object) => {
    const reply = await service.post(operation, { token, body: { ...body, ...of(gpt4) } });
    assert.equal(reply.status, 200, reply.body);
    return reply.json<{ readonly total?: number; readonly sources?: readonly object[] }>();
  };
  const gpt4 = { models: ["gpt-4"] };
  const { total } = await post("/v1/evidence", { role: "any" });
  const page = { groupBy: "url", limit: 10, offset: 0 };
  const { sources } = await post("/v1/insights/sources", page);
  assert.deepEqual([total, sources?.length], [1, 1]);
});

test("entityIds shorten the lists, and no value changes with that", async () => {
  const sample = await sharedSample();
  const all = await ask(sample, { groupBy: "provider" });
  const ids = all.groups[0]?.entities.map(({ id }) => id) ?? [];
  assert.equal(ids.length, 3);
  for (const wanted of [ids.slice(0, 1), ids.slice(1), [ids[2]?.toUpperCase() ?? "", unknown]]) {
    const listed = wanted.map((id) => id.toLowerCase());
    const groups = all.groups.map(({ entities, ...group }) => ({
      ...group,
      entities: entities.filter(({ id }) => listed.includes(id)),
    }));
    const entityIds = [...wanted, ...wanted];
    assert.deepEqual(await ask(sample, { groupBy: "provider", entityIds }), { ...all, groups });
  }
  assert.deepEqual(await ask(sample, { groupBy: "provider", entityIds: [] }), all);
});

test("facts say by what answers both sides were measured", async () => {
  const sample = await sharedSample();
  const timeRange = { from: "2026-01-06T00:00:00Z", to: "2026-02-01T00:00:00Z" };
  const compare = {
    filters: { timeRange: { from: "2026-01-01T00:00:00Z", to: "2026-01-06T00:00:00Z" } },
  };
  const plain = await ask(sample, { filters: { timeRange }, compare });
  const include: ["facts"] = ["facts"];
  const { facts, compare: other } = await ask(sample, { filters: { timeRange }, compare, include });
  assert.equal("facts" in plain, false);
  assert.equal(facts?.answers, plain.groups[0]?.answers);
  assert.equal(other?.facts?.answers, plain.compare?.answers);
  const whole = await ask(sample, { include });
  const { versions, pricesDate, ...counted } = whole.facts ?? {};
  assert.match(versions?.extraction ?? "", /^rules \d+$/);
  assert.match(versions?.suffixList ?? "", /^tldts [\d.]+$/);
  assert.match(pricesDate ?? "", /^\d{4}-\d{2}-\d{2}$/);
  assert.deepEqual(counted, {
    answers: 3,
    prompts: 2,
    answersPerPrompt: { least: 1, median: 1.5, most: 2 },
    providers: [
      { provider: "OPENAI", answers: 2 },
      { provider: "GROK", answers: 1 },
    ],
    regions: [
      { region: "DE", answers: 1 },
      { region: "US", answers: 1 },
      { region: null, answers: 1 },
    ],
    surfaces: [{ surface: null, answers: 3 }],
    models: { distinct: 0, unknown: 3, named: [] },
    cadence: { days: 3, daysWithAnswers: 2, medianDaysBetween: null },
    retest: { pairs: 0, brandDiffers: null, mentioningPairs: 0, entitiesDiffer: null },
    unanswered: {
      asked: 4,
      failed: { answers: 0, share: 0 },
      refused: { answers: 0, share: 0 },
      absent: { answers: 1, share: 0.25 },
    },
  });
});

test("each operation of the insights, and a plan, says the same facts", async () => {
  const { service, token } = await sharedSample();
  const filters = { timeRange: { from: "2026-01-06T00:00:00Z", to: "2026-02-01T00:00:00Z" } };
  const compare = {
    filters: { timeRange: { from: "2026-01-01T00:00:00Z", to: "2026-01-06T00:00:00Z" } },
  };
  const of = { entityId: sampleIds.acme, metric: "mentions" };
  const summary = { groupBy: "none", compare };
  const bodies = {
    summary,
    sources: { groupBy: "domain", limit: 5, offset: 0, compare },
    changes: { ...of, by: "provider", limit: 5, compare },
    series: { metric: "mentions", interval: "daily" },
    plan: of,
  };
  const facts: unknown[] = [];
  for (const [name, body] of Object.entries(bodies)) {
    const asked = { token, body: { ...body, filters, include: ["facts"] } };
    const reply = await service.post(`/v1/insights/${name}`, asked);
    assert.equal(reply.status, 200, reply.body);
    const id = `Insights${name[0]?.toUpperCase()}${name.slice(1)}ResponseDto`;
    (await ServedSchemas.of(service)).assertValid(id, reply.json());
    const { facts: own, compare: other } = reply.json<InsightsSummaryResponse>();
    facts.push(own);
    assert.equal(own?.answers, 1, name);
    assert.equal(other?.facts?.answers, "compare" in body ? 2 : undefined, name);
    const without = await service.post(`/v1/insights/${name}`, {
      token,
      body: { ...body, filters },
    });
    assert.equal(without.body.includes('"facts"'), false);
  }
  for (const each of facts) assert.deepEqual(each, facts[0]);
});

const unknown = "ffffffff-0000-4000-8000-000000000000";

test("a group says when its newest answer was given", async () => {
  const sample = await sharedSample();
  const { groups } = await ask(sample, { groupBy: "provider" });
  assert.deepEqual(
    groups.map(({ key, lastAnsweredAt }) => [key, lastAnsweredAt]),
    [
      ["OPENAI", "2026-01-07T00:00:00.000Z"],
      ["GROK", "2026-01-05T23:59:59.999Z"],
    ],
  );
  const monday = { from: sampleRange.from, to: "2026-01-06T00:00:00Z" };
  const tuesday = { from: "2026-01-06T00:00:00Z", to: sampleRange.to };
  const compared = await ask(sample, {
    groupBy: "provider",
    filters: { timeRange: monday },
    compare: { filters: { timeRange: tuesday } },
  });
  assert.deepEqual(
    compared.groups.map(({ key, lastAnsweredAt }) => [key, lastAnsweredAt]),
    [
      ["OPENAI", "2026-01-05T08:00:00.000Z"],
      ["GROK", "2026-01-05T23:59:59.999Z"],
    ],
  );
});

test("a group has the name that its topic has today, also in a cached reply", async (t) => {
  const { service, accountId, token } = await startSample(t);
  const before = await ask({ service, token }, { groupBy: "topic" });
  assert.deepEqual(await ask({ service, token }, { groupBy: "topic" }), before);
  const [storage, ...others] = sampleWorkspace.topics;
  const renamed = { ...storage, name: "Warehouses" };
  const prompts = sampleWorkspace.prompts.map((prompt) =>
    prompt.topic === "Storage" ? { ...prompt, topic: renamed.name } : prompt,
  );
  const topics = [renamed, ...others];
  await service.apply({
    ...sampleWorkspace,
    account: { id: accountId, name: "Acme" },
    topics,
    prompts,
  });
  await service.settle(accountId);
  assert.deepEqual(shown(await ask({ service, token }, { groupBy: "topic" })), [
    `${sampleIds.hosting} Hosting: 1/1`,
    `${sampleIds.storage} Warehouses: 1/2`,
  ]);
});

test("an empty reply says which kind of nothing it is", async () => {
  const sample = await sharedSample();
  const reason = async (filters: Partial<InsightsSummaryRequest["filters"]>) => {
    const asked = { filters: { timeRange: sampleRange, ...filters } };
    const { empty, groups } = await ask(sample, asked);
    if (empty?.reason !== "uninformative") assert.deepEqual(groups, []);
    assert.deepEqual(
      [empty?.first, empty?.last],
      ["2026-01-05T08:00:00.000Z", "2026-01-07T00:00:00.000Z"],
    );
    return empty?.reason;
  };
  const later = { from: "2027-01-01T00:00:00Z", to: "2027-02-01T00:00:00Z" };
  const monday = { from: sampleRange.from, to: "2026-01-06T00:00:00Z" };
  assert.equal(await reason({ timeRange: later }), "outsideRange");
  assert.equal(await reason({ providers: ["COPILOT"] }), "filteredOut");
  assert.equal(await reason({ promptIds: [sampleIds.acme] }), "filteredOut");
  assert.equal(await reason({ timeRange: monday, regions: [{ code: "DE" }] }), "notTrackedThen");
  const ofGlobex = { timeRange: { ...sampleRange, from: "2026-01-07T00:00:00Z" } };
  assert.equal(await reason(ofGlobex), "uninformative");
});

test("an account without answers says so", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const accountId = await service.apply(sampleWorkspace);
  const token = await service.session(accountId);
  assert.deepEqual(await ask({ service, token }, {}), {
    groupBy: "none",
    groups: [],
    tests: 0,
    empty: { reason: "noAnswers", first: null, last: null },
  });
});

/** Answers to ten prompts on a day: of the answers to each, so many mention the brand. */
function answersOf(day: string, mentions: string, answers: string) {
  const all = answers.split(" ").map(Number);
  return mentions.split(" ").flatMap((hits, prompt) =>
    Array.from({ length: all[prompt] ?? 0 }, (_, sample) => ({
      prompt: `Prompt ${prompt}?`,
      provider: "OPENAI",
      answeredAt: `${day}T08:00:00Z`,
      text: sample < Number(hits) ? "Acme." : "Nobody.",
      sample,
    })),
  );
}

const close = (got: number | null | undefined, wanted: number) =>
  assert.ok(Math.abs((got ?? 0) - wanted) < 1e-8, `${got} is not ${wanted}`);

test("the paired change of ten prompts, as the guide's formulas give it", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const accountId = await service.apply({
    account: { name: "Ten" },
    brand: { name: "Acme" },
    prompts: Array.from({ length: 10 }, (_, prompt) => ({ text: `Prompt ${prompt}?` })),
  });
  await service.import(accountId, [
    ...answersOf("2026-01-02", "7 6 0 0 7 1 3 0 7 2", "7 7 7 7 7 7 7 7 7 7"),
    ...answersOf("2026-01-12", "7 7 1 0 7 3 5 0 7 4", "7 7 7 7 7 7 7 7 7 6"),
  ]);
  const token = await service.session(accountId);
  const first = { timeRange: { from: "2026-01-01T00:00:00Z", to: "2026-01-08T00:00:00Z" } };
  const second = { timeRange: { from: "2026-01-08T00:00:00Z", to: "2026-01-15T00:00:00Z" } };
  const before = await ask({ service, token }, { filters: first });
  const rate = before.groups[0]?.entities[0]?.mentions;
  assert.deepEqual([rate?.value, rate?.numerator, rate?.denominator], [33 / 70, 33, 70]);
  assert.deepEqual(rate?.flags, ["exploratory"]);
  close(rate?.interval?.low, 0.1905071229);
  close(rate?.interval?.high, 0.7716933698);
  assert.equal(rate?.effectivePrompts, 10);

  const compared = await ask({ service, token }, { filters: second, compare: { filters: first } });
  assert.equal(compared.tests, 5);
  assert.deepEqual(compared.compare, {
    timeRange: { from: "2026-01-01T00:00:00.000Z", to: "2026-01-08T00:00:00.000Z" },
    answers: 70,
    prompts: 10,
    empty: null,
    discontinuous: [],
  });
  const change = compared.groups[0]?.entities[0]?.mentions.change;
  close(change?.value, 0.122774327);
  close(change?.parts?.likeForLike, 0.122774327);
  assert.deepEqual([change?.interval?.low, change?.p], [0, 0.0625]);
  close(change?.interval?.high, 0.227022279);
  assert.deepEqual(change?.flags, ["fewDays"]);
  // Mentions and visibility are equal; citations, rank and share of voice did not change.
  close(change?.adjustedP, (0.0625 * 5) / 2);
  assert.equal(change?.verdict, "within-noise");

  const day = { timeRange: { from: "2026-01-12T00:00:00Z", to: "2026-01-13T00:00:00Z" } };
  const short = await ask({ service, token }, { filters: day, compare: { filters: first } });
  assert.equal(short.groups[0]?.entities[0]?.mentions.change?.verdict, null);
  const gone = { timeRange: { from: "2020-01-01T00:00:00Z", to: "2020-02-01T00:00:00Z" } };
  const alone = await ask({ service, token }, { filters: second, compare: { filters: gone } });
  assert.deepEqual(alone.groups[0]?.entities[0]?.mentions.change, {
    value: null,
    parts: null,
    effectivePrompts: 0,
    interval: null,
    p: null,
    adjustedP: null,
    verdict: "insufficient",
    flags: [],
  });
  assert.equal(alone.compare?.empty?.reason, "outsideRange");
  assert.equal(alone.tests, 0);
});

test("a provider that changed its model has no verdict; how stable sources are", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const accountId = await service.apply({
    account: { name: "Models" },
    brand: { name: "Acme" },
    prompts: Array.from({ length: 20 }, (_, prompt) => ({ text: `Prompt ${prompt}?` })),
  });
  const answers = (day: string, provider: string, more: object) =>
    Array.from({ length: 20 }, (_, prompt) => ({
      prompt: `Prompt ${prompt}?`,
      provider,
      answeredAt: `${day}T08:00:00Z`,
      text: prompt % 2 === 0 ? "Acme." : "Nobody.",
      ...more,
    }));
  const [one, both] = [["https://a.example/1"], ["https://a.example/2", "https://b.example/"]].map(
    (urls) => urls.map((url) => ({ url })),
  );
  await service.import(accountId, [
    ...answers("2026-01-02", "OPENAI", { model: "gpt-4", citations: one }),
    ...answers("2026-01-09", "OPENAI", { model: "gpt-5", citations: both }),
    ...answers("2026-01-10", "OPENAI", { model: "gpt-5", citations: one }),
    // What is not known differs from nothing.
    ...answers("2026-01-02", "GROK", {}),
    ...answers("2026-01-09", "GROK", { model: "grok-4", surface: "web" }),
  ]);
  const token = await service.session(accountId);
  const reply = await ask(
    { service, token },
    {
      groupBy: "provider",
      filters: { timeRange: { from: "2026-01-08T00:00:00Z", to: "2026-01-15T00:00:00Z" } },
      compare: {
        filters: { timeRange: { from: "2026-01-01T00:00:00Z", to: "2026-01-08T00:00:00Z" } },
      },
      include: ["stability"],
    },
  );
  assert.deepEqual(reply.compare, {
    timeRange: { from: "2026-01-01T00:00:00.000Z", to: "2026-01-08T00:00:00.000Z" },
    answers: 40,
    prompts: 20,
    empty: null,
    discontinuous: ["OPENAI"],
  });
  const told = reply.groups.map(({ key, stability, entities }) => {
    return [key, stability, entities[0]?.mentions.change?.verdict];
  });
  assert.deepEqual(told, [
    ["OPENAI", { value: 0.5, pairs: 20 }, "discontinuous"],
    // Of a pair that cites nothing, nothing is said.
    ["GROK", { value: null, pairs: 0 }, "within-noise"],
  ]);
  const timeRange = { from: "2026-01-01T00:00:00Z", to: "2026-01-15T00:00:00Z" };
  const { facts } = await ask({ service, token }, { filters: { timeRange }, include: ["facts"] });
  assert.deepEqual(facts?.models, {
    distinct: 3,
    unknown: 20,
    named: [
      { provider: "OPENAI", model: "gpt-5", answers: 40 },
      { provider: "OPENAI", model: "gpt-4", answers: 20 },
      { provider: "GROK", model: "grok-4", answers: 20 },
    ],
  });
  // Three answers to each prompt of one provider, two of the other; all are alike.
  assert.deepEqual(facts?.cadence, { days: 14, daysWithAnswers: 3, medianDaysBetween: 7 });
  assert.deepEqual(facts?.retest, {
    pairs: 60,
    brandDiffers: 0,
    mentioningPairs: 30,
    entitiesDiffer: 0,
  });
  // Nothing else was ever recorded.
  assert.deepEqual(facts?.unanswered.failed, { answers: 0, share: null });
});

test("a trend over whole weeks, which begins anew when another model answers", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const hits = ["1 2 2 3 4", "0 0 1 1 1", "5 6 6 7 7", "2 1 3 3 4", "0 1 0 2 1", "3 3 4 4 6"]
    .concat("7 6 7 7 7")
    .map((weeks) => weeks.split(" ").map(Number));
  const accountId = await service.apply({
    account: { name: "Weeks" },
    brand: { name: "Acme" },
    prompts: hits.map((_, prompt) => ({ text: `Prompt ${prompt}?` })),
  });
  // Mondays from 2026-01-05 on; each week of one more model, should there be any.
  const answers = (week: number, model: string | null, own = week) =>
    hits.flatMap((weeks, prompt) =>
      Array.from({ length: 7 }, (_, day) => ({
        prompt: `Prompt ${prompt}?`,
        provider: "OPENAI",
        answeredAt: new Date(Date.UTC(2026, 0, 5 + 7 * week + day, 8)).toISOString(),
        text: day < (weeks[own] ?? 0) ? "Acme." : "Nobody.",
        model,
      })),
    );
  await service.import(
    accountId,
    [0, 1, 2, 3, 4].flatMap((week) => answers(week, null)),
  );
  const token = await service.session(accountId);
  const trendOf = async (from: string, to: string) => {
    const filters = { timeRange: { from: `2026-${from}T00:00:00Z`, to: `2026-${to}T00:00:00Z` } };
    const { groups } = await ask({ service, token }, { filters, include: ["trend"] });
    return groups[0]?.entities[0]?.mentions.trend;
  };
  // Days before the first Monday and after the last one are in no whole week.
  const trend = await trendOf("01-02", "02-12");
  close(trend?.slope, 0.0653061224);
  assert.deepEqual([trend?.weeks, trend?.p, trend?.effectivePrompts], [5, 0.015625, 7]);
  assert.equal(trend?.from, "2026-01-05T00:00:00.000Z");
  assert.deepEqual(await trendOf("01-06", "02-09"), null, "four whole weeks");
  await service.import(accountId, [
    ...answers(5, "gpt-4", 4),
    ...[6, 7, 8, 9, 10].flatMap((week) => answers(week, "gpt-5", week - 6)),
  ]);
  const later = await trendOf("01-05", "03-23");
  assert.deepEqual([later?.from, later?.weeks], ["2026-02-16T00:00:00.000Z", 5]);
  close(later?.slope, 0.0653061224);
});

test("what stayed of a discontinuous change keeps to the filters of each side", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const accountId = await service.apply({
    account: { name: "Stayed" },
    brand: { name: "Acme" },
    prompts: Array.from({ length: 8 }, (_, prompt) => ({ text: `Prompt ${prompt}?` })),
  });
  const days = Array.from({ length: 20 }, (_, day) => day);
  const hit = (day: number, prompt: number, provider: string) =>
    (prompt * 7 + day * 3 + provider.length) % 5 < 2 ||
    (provider === "GROK" && day % 2 === 0) ||
    (day >= 10 && prompt % 2 === 0);
  await service.import(
    accountId,
    days.flatMap((day) =>
      Array.from({ length: 8 }, (_, prompt) =>
        ["GEMINI", "OPENAI", "GROK"].map((provider) => ({
          prompt: `Prompt ${prompt}?`,
          provider,
          answeredAt: new Date(Date.UTC(2026, 0, 1 + day, 1)).toISOString(),
          text: hit(day, prompt, provider) ? "Acme." : "Nobody.",
          model: provider === "OPENAI" ? (day < 10 ? "alpha" : "beta") : null,
        })),
      ).flat(),
    ),
  );
  const token = await service.session(accountId);
  type Providers = InsightsSummaryRequest["filters"]["providers"];
  const changeOf = async (before: Providers, after: Providers) => {
    const range = (from: string, to: string, providers: Providers) => {
      const timeRange = { from: `2026-01-${from}T00:00:00Z`, to: `2026-01-${to}T00:00:00Z` };
      return { timeRange, providers };
    };
    const { groups } = await ask(
      { service, token },
      { filters: range("11", "21", after), compare: { filters: range("01", "11", before) } },
    );
    return groups[0]?.entities[0]?.mentions.change;
  };
  const change = await changeOf(["GEMINI", "OPENAI"], ["GEMINI", "OPENAI", "GROK"]);
  const alone = await changeOf(["GEMINI"], ["GEMINI", "GROK"]);
  assert.equal(change?.verdict, "discontinuous");
  const { p, interval, flags } = change.continuing ?? {};
  assert.deepEqual([p, interval, flags], [alone?.p, alone?.interval, alone?.flags]);
  assert.notEqual(p, null);
});
