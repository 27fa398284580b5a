import assert from "node:assert/strict";
import { test } from "node:test";
import { fileName, filterTexts, periodText } from "./described.ts";

const timeRange = { from: "2026-09-02T00:00:00Z", to: "2026-11-25T00:00:00Z" };
const workspace = {
  topics: [{ id: "t", name: "Hosting & DNS" }],
  prompts: [{ id: "p", text: "Which anvil?", topicId: null, branded: false }],
};

test("filters are said in words, those of an address that nobody knows too", () => {
  assert.deepEqual(filterTexts({ timeRange }, workspace), []);
  const regions = [{ code: "DE" }, { code: "FR" }];
  const topics = [{ id: "t" }, { id: "gone" }];
  assert.deepEqual(
    filterTexts({ timeRange, providers: ["OPENAI"], topics, regions, branded: false }, workspace),
    ["ChatGPT", "Topic: Hosting & DNS, unknown", "Germany, France", "Prompts without the brand"],
  );
  const promptIds = ["p", "a", "b", "c", "d", "e"];
  assert.deepEqual(filterTexts({ timeRange, promptIds }, workspace), [
    "Prompt: “Which anvil?”, “unknown”, “unknown”, “unknown” and 2 more",
  ]);
  assert.equal(periodText({ timeRange }), "2 Sept – 24 Nov 2026 (UTC)");
});

test("a file's name says whose it is, what it is of, when, and the filters", () => {
  const of = { owner: "Tarnfell", what: "mentions", workspace };
  assert.equal(
    fileName({ ...of, filters: { timeRange } }),
    "tarnfell-mentions-2026-09-02_2026-11-24",
  );
  const filters = { timeRange, providers: ["OPENAI"], regions: [{ code: "DE" }] } as const;
  assert.equal(
    fileName({ ...of, filters: { ...filters, providers: ["OPENAI"], regions: [{ code: "DE" }] } }),
    "tarnfell-mentions-2026-09-02_2026-11-24-chatgpt-de",
  );
  const odd = fileName({ ...of, owner: "../Köln\u0000 & あくめ: “A/B”", filters: { timeRange } });
  assert.equal(odd, "köln-あくめ-a-b-mentions-2026-09-02_2026-11-24");
  const long = fileName({ ...of, owner: "x".repeat(500), filters: { timeRange } });
  assert.equal(long.length, 120);
  assert.match(long, /x-more$/);
});
