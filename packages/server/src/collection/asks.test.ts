import assert from "node:assert/strict";
import { test } from "node:test";
import { readWorkspaceFile } from "../accounts/workspace-file/read-workspace-file.ts";
import { type Selection, selectedAsks } from "./asks.ts";

const workspace = readWorkspaceFile(`
account: Acme
brand: Acme
topics:
  - { name: Pages, collection: { providers: [{ provider: GOOGLE_AI_MODE, vendor: serpapi }] } }
  - Others
prompts:
  - { text: a page, topic: Pages }
  - text: both
    topic: Others
    collection: { providers: [OPENAI, GEMINI], regions: [US], samples: 3 }
  - { text: nobody, topic: Others }
  - { text: paused, topic: Pages, paused: true }
`);

const shown = (selection: Selection) =>
  [...selectedAsks(workspace, selection)].map(({ prompt, asks, regions, samples }) => {
    const asked = asks.map(({ provider, vendor }) => `${provider} ${vendor}`).join(", ");
    return `${prompt.text}: ${asked}; ${regions.join(" ")}; ${samples}`;
  });

test("without a selection everything is asked as the workspace says", () => {
  assert.deepEqual(shown({}), [
    "a page: GOOGLE_AI_MODE serpapi; ; 1",
    "both: OPENAI openai, GEMINI gemini; US; 3",
  ]);
});

test("a named provider is asked as the workspace asks it anywhere, else in the usual way", () => {
  const providers = new Set(["GOOGLE_AI_MODE", "GROK"] as const);
  assert.deepEqual(shown({ providers }), [
    "a page: GOOGLE_AI_MODE serpapi, GROK xai; ; 1",
    "both: GOOGLE_AI_MODE serpapi, GROK xai; US; 3",
    "nobody: GOOGLE_AI_MODE serpapi, GROK xai; ; 1",
  ]);
});

test("topics, vendors, regions and samples limit and replace", () => {
  const [topic] = workspace.topics.filter(({ name }) => name === "Others");
  const topicIds = new Set([topic?.id ?? ""]);
  assert.deepEqual(shown({ topicIds, regions: ["FR", "DE"], samples: 1 }), [
    "both: OPENAI openai, GEMINI gemini; FR DE; 1",
  ]);
  assert.deepEqual(shown({ vendors: new Set(["gemini"]) }), ["both: GEMINI gemini; US; 3"]);
  assert.deepEqual(shown({ promptIds: new Set() }), []);
});
