import assert from "node:assert/strict";
import { test } from "node:test";
import { filtersOf, noPrompt, sent } from "./filters.ts";
import { rangeOfDates } from "./period.ts";
import { plainView } from "./view.ts";

const range = rangeOfDates({ first: "2026-01-01", last: "2026-01-31" });
const timeRange = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
const prompt = (id: string, topicId: string | null) => ({ id, topicId, text: id, branded: false });
const workspace = { prompts: [prompt("p", "a"), prompt("q", "b"), prompt("r", null)] };

test("filters of a view are the service's, and what is not chosen is left out", () => {
  assert.deepEqual(filtersOf(plainView, range, workspace), { timeRange });
  const origin = { models: ["gpt-5.1"], surfaces: ["web"], tags: ["buying"] } as const;
  const view = { ...plainView, topics: ["a"], regions: ["US"], ...origin, branded: false };
  const chosen = { topics: [{ id: "a" }], regions: [{ code: "US" }], ...origin, branded: false };
  assert.deepEqual(filtersOf(view, range, workspace), { timeRange, ...chosen });
});

test("of topics and prompts together pass the prompts of the topics, else nothing", () => {
  const both = { ...plainView, topics: ["a", "c"], prompts: ["p", "q", "r", "unknown"] };
  assert.deepEqual(filtersOf(both, range, workspace), { timeRange, promptIds: ["p"] });
  const none = { ...plainView, topics: ["c"], prompts: ["p", "r"] };
  assert.deepEqual(filtersOf(none, range, workspace), { timeRange, promptIds: [noPrompt] });
});

test("what is left out is sent next to the filters of each side", () => {
  const excluded = { ...plainView.excluded, providers: ["GROK"], topics: ["a"] } as const;
  const filters = filtersOf({ ...plainView, prompts: ["q"], excluded }, range, workspace);
  const exclude = { providers: ["GROK"], topics: [{ id: "a" }] };
  assert.deepEqual(filters, { timeRange, promptIds: ["q"], exclude });
  const side = { filters: { timeRange, promptIds: ["q"] }, exclude };
  assert.deepEqual(sent({ groupBy: "none", filters }), { groupBy: "none", ...side });
  assert.deepEqual(sent({ filters, compare: { filters } }), { ...side, compare: side });
  const plain = { filters: { timeRange } };
  assert.deepEqual(sent({ ...plain, compare: plain }), { ...plain, compare: plain });
});
