import assert from "node:assert/strict";
import { test } from "node:test";
import { fileName, filterTexts, periodText, tableTexts } from "./described.ts";

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
  const exclude = { providers: ["GROK", "OPENAI"], topics: [{ id: "t" }] } as const;
  assert.deepEqual(filterTexts({ timeRange, regions: [{ code: "DE" }], exclude }, workspace), [
    "Germany",
    "Without Grok, ChatGPT",
    "Without topic: Hosting & DNS",
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

test("a table says what it is of, on how much it rests, and what its numbers mean", () => {
  const of = {
    owner: "Tarnfell",
    what: "mentions",
    title: "Mentions",
    n: "1,240 answers",
    definitions: ["Answers that name it, of all answers."],
  };
  const answers = { count: 3, first: null, last: null };
  const filters = { timeRange, providers: ["OPENAI" as const], regions: [{ code: "DE" }] };
  assert.deepEqual(tableTexts({ ...of, workspace: { ...workspace, answers }, filters }), [
    "Mentions · 2 Sept – 24 Nov 2026 (UTC)",
    "Account: Tarnfell",
    "Filters: ChatGPT · Germany",
    "n = 1,240 answers",
    "Answers that name it, of all answers.",
  ]);
  const samples = { count: 1, importIds: [] };
  const invented = { ...workspace, answers: { ...answers, samples } };
  const texts = tableTexts({ ...of, workspace: invented, filters: { timeRange } });
  assert.deepEqual(texts.slice(2, 5), [
    "No filters",
    "n = 1,240 answers",
    "Includes 1 sample answer, which are invented",
  ]);
});
