import assert from "node:assert/strict";
import { test } from "node:test";
import type { InsightsSummaryResponse } from "@sightline/contract";
import { assertRefusals, badFields } from "@sightline/test-kit/requests/bad-requests.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sampleIds, sampleRange } from "@sightline/test-kit/sample-account.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";

const good = { groupBy: "none" };
const compare = { filters: { timeRange: sampleRange } };

const overlapping = { from: "2000-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" };

const more = {
  "a grouping that is none": badFields(good, { groupBy: "day" }, "/groupBy not_allowed"),
  "a grouping in capitals": badFields(good, { groupBy: "Topic" }, "/groupBy not_allowed"),
  "an entity by its name": badFields(good, { entityIds: ["Acme"] }, "/entityIds/0 wrong_format"),
  "entities that are no list": badFields(good, { entityIds: "Acme" }, "/entityIds wrong_type"),
  "more entities than a workspace has": badFields(
    good,
    { entityIds: Array.from({ length: 1_001 }, () => sampleIds.acme) },
    "/entityIds too_large",
  ),
  "a comparison without filters": badFields(good, { compare: {} }, "/compare/filters missing"),
  "a comparison as null": badFields(good, { compare: null }, "/compare wrong_type"),
  "a comparison with itself backwards": badFields(
    good,
    { compare: { filters: { timeRange: { from: sampleRange.to, to: sampleRange.from } } } },
    "/compare/filters/timeRange wrong_order",
  ),
  "a comparison with itself": badFields(
    good,
    { compare },
    "/compare/filters/timeRange not_allowed",
  ),
  "a comparison that overlaps, its filters in other words": badFields(
    good,
    { compare: { filters: { timeRange: overlapping, providers: [] } } },
    "/compare/filters/timeRange not_allowed",
  ),
  "a grouping of the comparison": badFields(
    good,
    { compare: { ...compare, groupBy: "topic" } },
    "/compare/groupBy unknown_field",
  ),
  "a threshold in points": badFields(good, { threshold: 2 }, "/threshold too_large"),
  "a threshold below nothing": badFields(good, { threshold: -0.1 }, "/threshold too_small"),
  "a threshold as a text": badFields(good, { threshold: "0.02" }, "/threshold wrong_type"),
  "an interval, which is for series": badFields(
    good,
    { interval: "daily" },
    "/interval unknown_field",
  ),
};

test("a summary refuses what is outside its schema", (t) =>
  assertRefusals(t, { path: "/v1/insights/summary", good, more }));

test("a summary of too many groups and entities says so, and what to do", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const prompts = Array.from({ length: 100 }, (_, each) => ({ text: `Prompt ${each}?` }));
  const accountId = await service.apply({
    account: { name: "Many" },
    brand: { name: "Acme" },
    competitors: Array.from({ length: 120 }, (_, each) => ({ name: `Rival ${each}x` })),
    prompts,
  });
  const answers = prompts.map(({ text }) => {
    return { prompt: text, provider: "GROK", answeredAt: "2026-01-05T08:00:00Z", text: "Acme." };
  });
  await service.import(accountId, answers);
  const token = await service.session(accountId);
  const ask = (groupBy: string, more = {}) => {
    const body = { groupBy, filters: { timeRange: sampleRange }, ...more };
    return service.post("/v1/insights/summary", { token, body });
  };
  const provider = await ask("provider");
  assert.equal(provider.status, 200);
  const [brand] = provider.json<InsightsSummaryResponse>().groups[0]?.entities ?? [];
  assert.equal((await ask("prompt", { entityIds: [brand?.id] })).status, 200);
  assert.deepEqual(assertProblem(await ask("prompt"), "invalid_request").errors, [
    {
      path: "/groupBy",
      code: "too_large",
      message:
        "must give at most 12000 entries, got 12100 (100 groups of 121 entities). " +
        "Filter by topics or prompts, list fewer entities, or use another grouping.",
    },
  ]);
  const each = Array.from({ length: 501 }, (_, number) => ({
    prompt: "Prompt 0?",
    provider: "OPENAI",
    text: "Acme.",
    model: `model-${number}`,
    answeredAt: new Date(Date.UTC(2026, 0, 6) + number).toISOString(),
  }));
  await service.import(accountId, each);
  const [fault] = assertProblem(await ask("model"), "invalid_request").errors ?? [];
  assert.match(fault?.message ?? "", /^must give at most 500 models, got 501\. Filter by/);
  const filters = { timeRange: sampleRange, models: ["model-7"] };
  assert.equal((await ask("model", { filters })).status, 200);
});
