import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { dayMs, type Vendor, vendors } from "@sightline/contract";
import fc from "fast-check";
import type { Usage } from "./adapter.ts";
import { builtInPrices, type ListedPrice } from "./price-list.ts";
import { largestUsage, type PricedQuestion, Prices, vendorsReportingCost } from "./prices.ts";
import { defaultModels } from "./vendors/default-models.ts";

const prices = new Prices(builtInPrices);
const at = Date.parse("2026-11-25");
const usage = (inputTokens: number, outputTokens: number, searches: number): Usage => ({
  inputTokens,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens,
  searches,
  cost: null,
  isReported: true,
});
const asked = (vendor: Vendor, model: string | null): PricedQuestion => ({
  vendor,
  model,
  provider: "OPENAI",
  at,
});

test("a cost is what the vendor says, else it follows from the list", () => {
  const said = { ...usage(1_000_000, 1, 1), cost: { amount: 0.0123456, currency: "USD" } } as const;
  assert.deepEqual(prices.costOf(said, asked("openai", "gpt-5.4")), {
    amountMicros: 12_346,
    estimated: false,
    isAssumed: false,
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
    const expected = { amountMicros, estimated: true, isAssumed: false };
    assert.deepEqual(cost, expected, `${vendor} ${model}`);
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
    prices.priceOf({ vendor: "dataforseo", provider, model, at }).search;
  assert.equal(page("GOOGLE_AI_MODE", null), 0.004);
  assert.equal(page("GOOGLE_AI_MODE", "standard"), 0.0012);
  assert.equal(page("GOOGLE_AI_OVERVIEW", null), 0.002);
  assert.equal(page("GOOGLE_AI_OVERVIEW", "standard"), 0.0006);
});

test("no usage within the bounds costs more than its reserve", () => {
  const models = builtInPrices.prices.filter(({ model }) => model !== "*");
  const bounded = fc.constantFrom(...models).chain((price) => {
    const question = { ...price, provider: price.provider ?? "OPENAI", at } as const;
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
    at,
  } as const;
  const mini = { ...openai, model: "gpt-5.4-mini" };
  const google = { provider: "GOOGLE_AI_OVERVIEW", surface: "web", model: null, at } as const;
  const overview = { ...google, vendor: "serpapi" } as const;
  const jobs = [openai, mini, ...Array(100).fill(overview), openai];
  const shared = { provider: "OPENAI", surface: "api", vendor: "openai" };
  const pages = { provider: "GOOGLE_AI_OVERVIEW", surface: "web", vendor: "serpapi" };
  assert.deepEqual(prices.estimate(jobs), [
    {
      ...shared,
      jobs: 3,
      calls: 3,
      inputTokens: 30_000,
      outputTokens: 2_700,
      searches: 6,
      micros: 2 * (25_000 + 13_500 + 20_000) + 7_500 + 4_050 + 20_000,
      isUnverified: false,
      unlistedModels: [],
    },
    {
      ...pages,
      jobs: 100,
      calls: 137,
      inputTokens: 0,
      outputTokens: 0,
      searches: 137,
      micros: 137 * 15_000,
      isUnverified: true,
      unlistedModels: [],
    },
  ]);
  assert.deepEqual(prices.estimate([]), []);
});

test("what earlier answers cost is weighed with the list until there are 30 of them", () => {
  const listed = 25_000 + 13_500 + 20_000;
  const job = (vendor: Vendor, model: string | null) => ({
    ...({ vendor, model, provider: "OPENAI", surface: "api", at } as const),
  });
  const of = (asked: ReturnType<typeof job>, micros: number, answers: number) => {
    const [estimate] = prices.estimate([asked], () => ({ micros, answers }));
    return [estimate?.micros, estimate?.isUnverified];
  };
  const openai = job("openai", "gpt-5.4");
  assert.deepEqual(of(openai, 1_000, 3), [100 + 0.9 * listed, false]);
  assert.deepEqual(of(openai, 1_000, 30), [1_000, false]);
  // A price stays unverified: the learned mean is based on it.
  assert.deepEqual(of(job("openai", "gpt-6-astra"), 1_000, 300), [1_000, true]);
  // Perplexity reports the cost of its answers.
  assert.deepEqual(of(job("perplexity", null), 1_000, 29)[1], true);
  assert.deepEqual(of(job("perplexity", null), 1_000, 30), [1_000, false]);
});

test("tokens of caches have prices of their own", () => {
  const cached = { cachedInputTokens: 92_160, cacheWriteTokens: 4_000 };
  const used = { ...usage(115_886, 0, 0), ...cached };
  const { amountMicros } = prices.costOf(used, asked("openai", "gpt-6.2-sol"));
  assert.equal(amountMicros, Math.ceil(19_726 * 2 + 92_160 * 0.1 + 4_000 * 2.5));
  // Long inputs raise them in proportion; without a price of its own, a cache costs as the input.
  const long = { ...usage(300_000, 0, 0), cachedInputTokens: 100_000 };
  const costOf = (model: string) => prices.costOf(long, asked("openai", model)).amountMicros;
  assert.equal(costOf("gpt-6.2-sol"), 200_000 * 4 + 100_000 * 0.2);
  const gemini = prices.costOf({ ...long }, asked("gemini", "gemini-3.8-flash"));
  assert.equal(gemini.amountMicros, 300_000 * 0.75);
});

test("a price holds from its day on, in UTC", () => {
  const inputOn = (day: string) =>
    prices.priceOf({ ...asked("gemini", "gemini-3.8-flash"), at: Date.parse(day) }).input;
  assert.deepEqual([inputOn("2026-12-31T23:59:59.999Z"), inputOn("2027-01-01")], [0.75, 1.5]);
});

test("the price of another model is marked, wherever it is used", () => {
  const unlisted = asked("openai", "gpt-9");
  assert.deepEqual(
    [prices.priceOf(unlisted).source, prices.priceOf(unlisted).verified],
    ["unverified: price of another model (gpt-5.5-pro)", false],
  );
  assert.equal(prices.costOf(usage(1, 1, 1), unlisted).isAssumed, true);
  const [estimate] = prices.estimate([{ ...unlisted, surface: "api" }]);
  assert.deepEqual([estimate?.isUnverified, estimate?.unlistedModels], [true, ["gpt-9"]]);
  assert.equal(prices.reserveMicrosOf(unlisted), 150_000 * 30 + 8_000 * 180 + 100_000);
});

test("a request that continues a question reserves more, and a late overview its surcharge", () => {
  const claude = asked("anthropic", null);
  assert.equal(prices.reserveMicrosOf(claude), 150_000 * 2.5 + 80_000 + 50_000);
  assert.equal(
    prices.reserveMicrosOf(claude, { inputTokens: 40_000, outputTokens: 5_000 }),
    195_000 * 2.5 + 80_000 + 50_000,
  );
  const overview = {
    ...({ vendor: "dataforseo", provider: "GOOGLE_AI_OVERVIEW", model: "standard", at } as const),
  };
  assert.equal(prices.reserveMicrosOf(overview), 600 + 2_000);
  assert.equal(prices.expectedMicrosOf(overview), 600 + 740);
});

test("the list has a price of every vendor, each dated, with its source, and once", () => {
  const keyOf = ({ vendor, model, provider, from }: ListedPrice) =>
    `${vendor} ${model} ${provider} ${from}`;
  const keys = builtInPrices.prices.map(keyOf);
  assert.equal(new Set(keys).size, keys.length);
  // What a reader costs is said by its setting.
  const isReader = ({ vendor }: Pick<ListedPrice, "vendor">) => vendor === "reader";
  for (const vendor of vendors.filter((each) => each !== "reader")) {
    const provider = "GOOGLE_AI_MODE";
    assert.ok(prices.reserveMicrosOf({ vendor, provider, model: null, at }) > 0, vendor);
  }
  for (const price of builtInPrices.prices) {
    const { asOf, source, input, output, search } = price;
    assert.match(asOf, /^2026-\d{2}-\d{2}$/);
    assert.ok(asOf <= builtInPrices.date && source.length > 10);
    assert.ok(input >= 0 && output >= 0 && (search > 0 || isReader(price)));
  }
});

test("the price of each model that is asked by default is checked", () => {
  for (const [vendor, model] of Object.entries(defaultModels)) {
    const { verified, isOfAnother } = prices.priceOf(asked(vendor as Vendor, model));
    assert.equal(isOfAnother, false, `prices.yaml has no price of ${model}.`);
    // Vendors that report the cost are settled by it.
    const isChecked = verified || vendorsReportingCost.has(vendor as Vendor);
    assert.ok(isChecked, `Look up the price of ${model} at ${vendor}, and mark it as verified.`);
  }
});

test("the list of prices was reviewed at most 60 days before this commit", () => {
  const root = join(import.meta.dirname, "../../../..");
  const committed = execFileSync("git", ["log", "-1", "--format=%ct"], { cwd: root });
  const ageDays = (Number(committed.toString()) * 1_000 - Date.parse(builtInPrices.date)) / dayMs;
  // By the date of the commit, not of today: an old commit that once passed always passes.
  assert.ok(
    ageDays <= 60,
    `The prices of ${builtInPrices.date} are ${Math.floor(ageDays)} days older than this commit. ` +
      "Open the source of each line of packages/server/src/collection/prices.yaml, " +
      "correct what has changed (a new line with `from`), and set `date` to today.",
  );
});

test("prices can be sent to a thread", () => {
  const sent = new Prices(structuredClone(prices.list));
  assert.deepEqual(sent.list, prices.list);
});
