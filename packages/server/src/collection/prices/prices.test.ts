import assert from "node:assert/strict";
import { test } from "node:test";
import { type Vendor, vendors } from "@sightline/contract";
import fc from "fast-check";
import type { Usage } from "../adapter.ts";
import { largestUsage } from "./expected-usage.ts";
import { builtInPrices, type ListedPrice } from "./price-list.ts";
import { type PricedQuestion, Prices } from "./prices.ts";

const prices = new Prices(builtInPrices);
const usage = (inputTokens: number, outputTokens: number, searches: number): Usage => ({
  ...{ inputTokens, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens, searches },
  ...{ cost: null, isTold: true },
});
const asked = (vendor: Vendor, model: string | null): PricedQuestion => ({
  ...{ vendor, model, provider: "OPENAI" },
});

test("a cost is what the vendor says, else it follows from the list", () => {
  const said = { ...usage(1_000_000, 1, 1), cost: { amount: 0.0123456, currency: "USD" } } as const;
  assert.deepEqual(prices.costOf(said, asked("openai", "gpt-5.4")), {
    amountMicros: 12_346,
    estimated: false,
  });
  const cases: readonly (readonly [Vendor, string | null, Usage, number])[] = [
    ["openai", "gpt-5.4", usage(10_000, 1_000, 2), 25_000 + 15_000 + 20_000],
    ["openai", "gpt-5.4-2026-03-05", usage(10_000, 1_000, 2), 60_000],
    ["openai", "gpt-5.4-mini", usage(10_000, 1_000, 0), 7_500 + 4_500],
    ["openai", "gpt-6.1-sol", usage(272_000, 0, 0), 544_000],
    ["openai", "gpt-6.1-sol", usage(272_001, 0, 0), 1_088_004],
    ["gemini", "gemini-2.5-flash", usage(0, 0, 5), 35_000],
    ["gemini", "gemini-3.8-flash", usage(0, 0, 5), 70_000],
    ["serpapi", null, usage(0, 0, 2), 30_000],
    ["cloro", null, usage(0, 0, 5), 2_000],
    // A fraction of a millionth is rounded up.
    ["openai", "gpt-5.4-nano", usage(1, 0, 0), 1],
    ["openai", "gpt-5.4-nano", usage(5, 0, 0), 1],
    ["openai", "gpt-5.4", usage(0, 0, 0), 0],
  ];
  for (const [vendor, model, used, amountMicros] of cases) {
    const cost = prices.costOf(used, asked(vendor, model));
    assert.deepEqual(cost, { amountMicros, estimated: true }, `${vendor} ${model}`);
  }
});

test("a model of which nothing is known costs as the vendor's dearest", () => {
  for (const model of ["gpt-5.4-pro", "gpt-9", "", "gpt-5.5-pro-2027-01-01"]) {
    assert.equal(prices.priceOf(asked("openai", model)).model, "gpt-5.5-pro", model);
  }
  assert.equal(prices.priceOf(asked("perplexity", "sonar-next")).model, "*");
});

test("pages are priced by provider and way of asking", () => {
  const page = (provider: PricedQuestion["provider"], model: string | null) =>
    prices.priceOf({ vendor: "dataforseo", provider, model }).search;
  assert.equal(page("GOOGLE_AI_MODE", null), 0.004);
  assert.equal(page("GOOGLE_AI_MODE", "standard"), 0.0012);
  assert.equal(page("GOOGLE_AI_OVERVIEW", null), 0.002);
  assert.equal(page("GOOGLE_AI_OVERVIEW", "standard"), 0.0006);
});

test("no usage within the bounds costs more than its reserve", () => {
  const models = builtInPrices.prices.filter(({ model }) => model !== "*");
  const bounded = fc.constantFrom(...models).chain((price) => {
    const question = { ...price, provider: price.provider ?? "OPENAI" } as const;
    const most = largestUsage(question);
    return fc.record({
      question: fc.constant(question),
      used: fc
        .tuple(fc.nat(most.inputTokens), fc.nat(most.outputTokens), fc.nat(most.searches))
        .map((used) => usage(...used)),
    });
  });
  fc.assert(
    fc.property(bounded, ({ question, used }) => {
      const { amountMicros } = prices.costOf(used, question);
      assert.ok(amountMicros <= prices.reserveMicrosOf(question));
    }),
  );
  assert.equal(prices.reserveMicrosOf(asked("openai", "gpt-5.4")), 375_000 + 120_000 + 100_000);
});

test("an estimate counts jobs by provider, by what earlier sweeps used if it is known", () => {
  const openai = {
    provider: "OPENAI",
    surface: "api",
    vendor: "openai",
    model: "gpt-5.4",
  } as const;
  const mini = { ...openai, model: "gpt-5.4-mini" };
  const google = { provider: "GOOGLE_AI_OVERVIEW", surface: "web", model: null } as const;
  const overview = { ...google, vendor: "serpapi" } as const;
  const jobs = [openai, mini, ...Array(100).fill(overview), openai];
  const shared = { provider: "OPENAI", surface: "api", vendor: "openai" };
  const pages = { provider: "GOOGLE_AI_OVERVIEW", surface: "web", vendor: "serpapi" };
  assert.deepEqual(prices.estimate(jobs), [
    {
      ...{ ...shared, jobs: 3, calls: 3, inputTokens: 30_000, outputTokens: 2_700, searches: 6 },
      ...{ micros: 2 * (25_000 + 13_500 + 20_000) + 7_500 + 4_050 + 20_000, isUnverified: false },
    },
    {
      ...{ ...pages, jobs: 100, calls: 137, inputTokens: 0, outputTokens: 0, searches: 137 },
      ...{ micros: 137 * 15_000, isUnverified: true },
    },
  ]);
  const mean = { calls: 1, inputTokens: 100, outputTokens: 10, searches: 0.5, micros: 123.4 };
  assert.deepEqual(
    prices.estimate([openai, openai, openai], ({ model }) => (model === "gpt-5.4" ? mean : null)),
    [
      {
        ...{ ...shared, jobs: 3, calls: 3, inputTokens: 300, outputTokens: 30, searches: 2 },
        ...{ micros: 371, isUnverified: false },
      },
    ],
  );
  assert.deepEqual(prices.estimate([]), []);
});

test("the list has a price of every vendor, each dated, with its source, and once", () => {
  const keyOf = ({ vendor, model, provider }: ListedPrice) => `${vendor} ${model} ${provider}`;
  const keys = builtInPrices.prices.map(keyOf);
  assert.equal(new Set(keys).size, keys.length);
  for (const vendor of vendors) {
    const provider = "GOOGLE_AI_MODE";
    assert.ok(prices.reserveMicrosOf({ vendor, provider, model: null }) > 0, vendor);
  }
  for (const { asOf, source, input, output, search } of builtInPrices.prices) {
    assert.match(asOf, /^2026-\d{2}-\d{2}$/);
    assert.ok(asOf <= builtInPrices.date && source.length > 10);
    assert.ok(input >= 0 && output >= 0 && search > 0);
  }
});

test("prices can be sent to a thread", () => {
  const sent = new Prices(structuredClone(prices.list));
  assert.deepEqual(sent.list, prices.list);
});
