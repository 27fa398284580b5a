import assert from "node:assert/strict";
import { test } from "node:test";
import { workspaceTable } from "../questions/ask-workspace.ts";

test("what is tracked and what can be asked for, with safe names", () => {
  const workspace = {
    brand: { id: "b", name: "Acme\u0007" },
    competitors: ["Globex", "Initech", "Hooli", "Umbrella"].map((name) => ({ id: name, name })),
    topics: [{ id: "t", name: "Anvils" }],
    prompts: [
      { id: "p", text: "What is the best anvil?", topicId: "t", branded: false },
      { id: "q", text: "Is Acme any good?", topicId: null, branded: true },
    ],
    providers: ["OPENAI" as const],
    regions: [],
    answers: { count: 1234, first: "2026-01-05T08:00:00Z", last: "2026-01-07T12:00:00Z" },
    lastImport: null,
  };
  assert.deepEqual(workspaceTable(workspace, { width: 40, colour: false, isTerminal: true }), [
    "Acme\\u{7}",
    "competitors  Globex, Initech, Hooli,",
    "             Umbrella",
    "providers    OPENAI",
    "regions      –",
    "answers      1,234, from",
    "             2026-01-05T08:00:00Z to",
    "             2026-01-07T12:00:00Z",
    "imported     never",
    "",
    "topic   prompts",
    "Anvils        1",
    "",
    "prompt                   topic   branded",
    "What is the best anvil?  Anvils  no",
    "Is Acme any good?        –       yes",
  ]);
});

test("each prompt is read a few times, however many topics there are", () => {
  let reads = 0;
  const prompts = Array.from({ length: 100 }, (_, number) => ({
    id: `p${number}`,
    text: "Which?",
    branded: false,
    get topicId() {
      reads++;
      return `t${number % 50}`;
    },
  }));
  const workspace = {
    brand: { id: "b", name: "Acme" },
    competitors: [],
    topics: Array.from({ length: 50 }, (_, number) => ({ id: `t${number}`, name: `T${number}` })),
    prompts,
    providers: [],
    regions: [],
    lastImport: null,
    answers: { count: 0, first: null, last: null },
  };
  const lines = workspaceTable(workspace, { width: 40, colour: false, isTerminal: true });
  assert.ok(lines.includes("T49          2"), lines.join("\n"));
  assert.ok(reads <= 3 * prompts.length, `${reads} reads of ${prompts.length} prompts`);
});
