import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { builtInPrices, PricesFileError, readPrices } from "./price-list.ts";
import { Prices } from "./prices.ts";

const at = Date.parse("2026-11-25");

function fileWith(t: TestContext, content: string): string {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "prices.yaml");
  writeFileSync(path, content);
  return path;
}

function faultsOf(path: string): readonly string[] {
  try {
    readPrices(path, builtInPrices);
    return [];
  } catch (error) {
    assert.ok(error instanceof PricesFileError);
    const [first = "", ...faults] = error.message.split("\n");
    assert.equal(first, `The price list ${path} is not valid.`);
    return faults.map((fault) => fault.trim());
  }
}

test("a file's prices take precedence by vendor, model and provider", (t) => {
  const path = fileWith(
    t,
    [
      "date: 2026-12-01",
      "prices:",
      "  - { vendor: openai, model: gpt-5.4, input: 1, output: 2, search: 0.005 }",
      "  - { vendor: serpapi, search: 0.008 }",
      "  - { vendor: xai, model: grok-9, input: 3, output: 9 }",
    ].join("\n"),
  );
  const list = readPrices(path, builtInPrices);
  const prices = new Prices(list);
  assert.equal(list.date, "2026-12-01");
  assert.equal(list.prices.length, builtInPrices.prices.length + 1);
  const { source, asOf, verified, ...price } = prices.priceOf({
    vendor: "openai",
    provider: "OPENAI",
    model: "gpt-5.4-2026-03-05",
    at,
  });
  assert.deepEqual([source, asOf, verified], [path, "2026-12-01", true]);
  assert.deepEqual(price, {
    vendor: "openai",
    model: "gpt-5.4",
    provider: null,
    input: 1,
    output: 2,
    search: 0.005,
    from: null,
    cacheRead: null,
    cacheWrite: null,
    nextSearch: null,
    oneSearch: false,
    long: null,
    isOfAnother: false,
  });
  const overview = { vendor: "serpapi", provider: "GOOGLE_AI_OVERVIEW", model: null, at } as const;
  assert.equal(prices.reserveMicrosOf(overview), 8_000);
  const mini = { vendor: "openai", provider: "OPENAI", model: "gpt-5.4-mini", at } as const;
  assert.equal(prices.priceOf(mini).input, 0.75);
});

test("a file's price of a later day leaves the price until then", (t) => {
  const line = "{ vendor: openai, model: gpt-5.4, from: 2027-02-01, input: 1, output: 2 }";
  const path = fileWith(t, `date: 2026-12-01\nprices:\n  - ${line}\n`);
  const prices = new Prices(readPrices(path, builtInPrices));
  const asked = { vendor: "openai", provider: "OPENAI", model: "gpt-5.4" } as const;
  const inputOn = (day: string) => prices.priceOf({ ...asked, at: Date.parse(day) }).input;
  assert.deepEqual([inputOn("2027-01-31T23:59:59Z"), inputOn("2027-02-01")], [2.5, 1]);
});

test("JSON is taken too", (t) => {
  const file = { date: "2026-12-01", prices: [{ vendor: "cloro", search: 0.0003 }] };
  const list = readPrices(fileWith(t, JSON.stringify(file)), builtInPrices);
  assert.equal(list.prices.find(({ vendor }) => vendor === "cloro")?.search, 0.0003);
});

test("every fault is reported, with its line and the allowed values", (t) => {
  const path = fileWith(
    t,
    [
      "date: yesterday",
      "prices:",
      "  - { vendor: opnai, model: gpt-5.4, input: 1 }",
      "  - { vendor: openai, input: -1 }",
      "  - { vendor: openai, input: 2000, price: 3 }",
    ].join("\n"),
  );
  const faults = faultsOf(path);
  assert.deepEqual(
    faults.map((fault) => fault.split(": ").slice(0, 2).join(": ")),
    ["line 1: /date", "line 3: /prices/0/vendor", "line 4: /prices/1/input"].concat([
      "line 5: /prices/2/input",
      "line 5: /prices/2/price",
    ]),
  );
  assert.match(faults[0] ?? "", /must be a day such as 2026-11-24/);
  assert.match(faults[1] ?? "", /"opnai"/);
});

test("a file that is not a list of prices, or is not there, is said", (t) => {
  assert.deepEqual(faultsOf("/absent/prices.yaml"), ["the file cannot be read (ENOENT)"]);
  assert.match(faultsOf(fileWith(t, "a: [1"))[0] ?? "", /^line \d: /);
  assert.match(faultsOf(fileWith(t, ""))[0] ?? "", /^line 1: \/: /);
  assert.deepEqual(faultsOf(fileWith(t, "#".repeat(1_000_001))), ["the file is larger than 1 MB"]);
});

test("the list in the guide is taken", (t) => {
  const guide = new URL("../../../../docs/guide/settings.md", import.meta.url);
  const [, block = ""] = /```yaml\n(date: [\s\S]*?)```/.exec(readFileSync(guide, "utf8")) ?? [];
  assert.equal(readPrices(fileWith(t, block), builtInPrices).date, "2026-12-01");
});
