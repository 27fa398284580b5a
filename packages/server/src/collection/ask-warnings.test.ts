import assert from "node:assert/strict";
import { test } from "node:test";
import { readWorkspaceFile } from "../accounts/workspace-file/read-workspace-file.ts";
import { workspaceWarnings } from "./ask-warnings.ts";
import { jobsOf } from "./plan.ts";
import { builtInPrices } from "./price-list.ts";
import { Prices } from "./prices.ts";

const priced = { prices: new Prices(builtInPrices), at: Date.parse("2026-11-25") };
const read = (collection: string) =>
  readWorkspaceFile(`account: Acme\nbrand: Acme\nprompts: [One?, Two?]\ncollection: ${collection}`);
const warningsOf = (collection: string) => workspaceWarnings(read(collection), priced);

test("a cap below the cost of one question is reported, with the provider that it stops", () => {
  const caps = "caps: { dollarsPerDay: 0.52, providers: { ANTHROPIC: { dollarsPerDay: 0.5 } } }";
  assert.deepEqual(warningsOf(`{ providers: [OPENAI, ANTHROPIC, GROK], ${caps} }`), [
    "the cap caps.dollarsPerDay of 0.52 is below what one question of OPENAI may cost ($0.56), " +
      "so OPENAI is never asked. Raise it.",
    "the cap caps.providers.ANTHROPIC.dollarsPerDay of 0.5 is below what one question of " +
      "ANTHROPIC may cost ($0.51), so ANTHROPIC is never asked. Raise it.",
  ]);
  assert.deepEqual(warningsOf("{ providers: [ANTHROPIC], caps: { dollarsPerDay: 1 } }"), []);
  // A cap of 0, which stops everything, is intended.
  assert.deepEqual(warningsOf("{ providers: [OPENAI], caps: { dollarsPerDay: 0 } }"), []);
});

test("a model without a price, and what vendors refuse, are reported", () => {
  const asked = "[{ provider: OPENAI, model: gpt-9 }, GEMINI, GROK]";
  assert.deepEqual(warningsOf(`{ providers: ${asked}, regions: [US, DE] }`), [
    "no price of gpt-9 is known: OPENAI is estimated and reserved by the dearest model of its " +
      "vendor. Set its price in a price file.",
    "GEMINI will not be asked in US, DE: The Gemini API takes no region. Ask GEMINI without " +
      "regions.",
    "GROK will not be asked in US, DE: xAI's HTTP API takes no region. Ask GROK without regions.",
  ]);
});

test("a provider's regions, state and city are asked in place of the others'", () => {
  const berlin = "{ provider: ANTHROPIC, regions: [DE], city: Berlin }";
  const own = `[OPENAI, { provider: GEMINI, regions: [] }, ${berlin}]`;
  const workspace = read(`{ providers: ${own}, regions: [US, DE] }`);
  assert.deepEqual(workspaceWarnings(workspace, priced), []);
  const placesOf = (selection: { readonly regions?: readonly string[] }) =>
    [...jobsOf(workspace, { slot: 0, wanted: { selection }, reserveOf: () => 1 })]
      .slice(0, 4)
      .map(({ provider, region, place }) => [provider, region, place?.city]);
  assert.deepEqual(placesOf({}), [
    ["OPENAI", "US", undefined],
    ["OPENAI", "DE", undefined],
    ["GEMINI", null, undefined],
    ["ANTHROPIC", "DE", "Berlin"],
  ]);
  assert.deepEqual(placesOf({ regions: ["FR"] }).slice(0, 3), [
    ["OPENAI", "FR", undefined],
    ["GEMINI", null, undefined],
    ["ANTHROPIC", "FR", undefined],
  ]);
});
