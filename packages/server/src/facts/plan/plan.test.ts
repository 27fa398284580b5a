import assert from "node:assert/strict";
import { test } from "node:test";
import type { Exclude, Filters, InsightFilters } from "@sightline/contract";
import { type Codes, planSources, planTimeSeries } from "./plan.ts";
import { sourcesQuestion, timeSeriesQuestion } from "./question.ts";

const [known, unknown] = [
  "11111111-1111-4111-8111-111111111111",
  "22222222-2222-4222-8222-222222222222",
];
const codes: Codes = {
  provider: () => 1,
  topic: (id) => (id === known ? 2 : undefined),
  prompt: (id) => (id === known ? 3 : undefined),
  region: () => 4,
  model: () => 5,
  surface: (name) => (name === "web" ? 6 : undefined),
  tagged: (tag) => (tag === "new home" ? [7, 8] : tag === "buying" ? [8, 9] : []),
};
const january = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
const firstOfJanuary = 20_454;
const dayMs = 86_400_000;

const seriesPlan = (filters: Partial<InsightFilters>, exclude?: Exclude) =>
  planTimeSeries(
    timeSeriesQuestion("mentions", {
      interval: "daily",
      filters: { timeRange: january, ...filters },
      exclude,
    }),
    { codes, entities: 2 },
  );

const sourcesPlan = (groupBy: "domain" | "url", filters: Partial<Filters>) =>
  planSources(
    sourcesQuestion({ groupBy, limit: 10, offset: 0, filters: { timeRange: january, ...filters } }),
    codes,
  );

/** The table that is chosen, and why those before it are not. */
const choices: readonly (readonly [
  what: Partial<InsightFilters>,
  chosen: string,
  refused: object,
])[] = [
  [{}, "daily", {}],
  [{ providers: ["OPENAI"], regions: [{ code: "US" }], branded: true }, "daily", {}],
  [{ topics: [{ id: known }] }, "appearances", { daily: "filter_by_topic" }],
  [{ promptIds: [known], branded: false }, "appearances", { daily: "filter_by_prompt" }],
  [{ models: ["alpha"] }, "appearances", { daily: "filter_by_model" }],
  [{ tags: ["New  home"] }, "appearances", { daily: "filter_by_prompt" }],
  [{ surfaces: ["web"] }, "appearances", { daily: "filter_by_surface" }],
  [
    { timeRange: { from: "2026-01-01T12:00:00Z", to: "2026-01-02T23:59:59.999Z" } },
    "appearances",
    { daily: "range_within_a_day" },
  ],
];

test("the rollup with the fewest rows that has what the filters need; the reasons", () => {
  for (const [filters, chosen, refused] of choices) {
    const plan = seriesPlan(filters);
    assert.equal(plan?.rows.parts[0]?.table, chosen, JSON.stringify(filters));
    assert.equal(plan?.choice.rollup, chosen === "appearances" ? null : chosen);
    const reasons = plan?.choice.refused.map(({ rollup, reason }) => [rollup, reason]) ?? [];
    assert.deepEqual(Object.fromEntries(reasons), refused);
  }
});

test("domains without filters come from their sums, other sources from the citations", () => {
  const choices: readonly (readonly [ReturnType<typeof sourcesPlan>, string | null])[] = [
    [sourcesPlan("domain", {}), null],
    [sourcesPlan("domain", { providers: ["OPENAI"] }), "filter_by_provider"],
    [sourcesPlan("url", {}), "group_by_url"],
  ];
  for (const [plan, reason] of choices) {
    const table = reason === null ? "daily_domains" : "citations";
    assert.deepEqual(plan?.choice, {
      rollup: reason === null ? "daily_domains" : null,
      refused: reason === null ? [] : [{ rollup: "daily_domains", reason }],
    });
    assert.deepEqual(plan?.rows.parts, [
      { table, by: "day", from: firstOfJanuary, to: firstOfJanuary + 31 },
    ]);
  }
});

test("whole days come from the rollup, the ends from the rows; nothing twice, nothing left", () => {
  const timeRange = { from: "2026-01-01T22:00:00Z", to: "2026-01-04T03:00:00Z" };
  const start = firstOfJanuary * dayMs;
  assert.deepEqual(seriesPlan({ timeRange })?.rows.parts, [
    { table: "daily", by: "day", from: firstOfJanuary + 1, to: firstOfJanuary + 3 },
    {
      table: "appearances",
      by: "answered_at",
      from: start + 22 * 3_600_000,
      to: start + dayMs,
    },
    {
      table: "appearances",
      by: "answered_at",
      from: start + 3 * dayMs,
      to: start + 3 * dayMs + 3 * 3_600_000,
    },
  ]);
  const [first, ...others] = seriesPlan({})?.rows.parts ?? [];
  assert.deepEqual(others, []);
  assert.deepEqual(first, {
    table: "daily",
    by: "day",
    from: firstOfJanuary,
    to: firstOfJanuary + 31,
  });
});

test("a tag stands for the prompts that have it today", () => {
  const conditions = (filters: Partial<InsightFilters>, exclude?: Exclude) =>
    seriesPlan(filters, exclude)?.rows.conditions;
  assert.deepEqual(conditions({ tags: [" NEW home", "Buying"], promptIds: [known] }), [
    { column: "prompt", values: [3], isExcluded: false },
    { column: "prompt", values: [8, 9, 7], isExcluded: false },
  ]);
  assert.deepEqual(conditions({}, { tags: ["buying", "none has it"] }), [
    { column: "prompt", values: [8, 9], isExcluded: true },
  ]);
  assert.equal(conditions({ tags: ["none has it"] }), undefined);
});

test("a filter of nothing that the facts know: no row can pass", () => {
  assert.equal(seriesPlan({ topics: [{ id: unknown }] }), null);
  assert.equal(sourcesPlan("url", { promptIds: [unknown] }), null);
  assert.deepEqual(seriesPlan({ promptIds: [unknown, known] })?.rows.conditions, [
    { column: "prompt", values: [3], isExcluded: false },
  ]);
});

test("what is left out excludes what the facts know of it, and alone no row", () => {
  const exclude = { topics: [{ id: unknown }], promptIds: [known, unknown] };
  assert.deepEqual(seriesPlan({ branded: true }, exclude)?.rows.conditions, [
    { column: "branded", values: [1], isExcluded: false },
    { column: "prompt", values: [3], isExcluded: true },
  ]);
});
