import assert from "node:assert/strict";
import { test } from "node:test";
import { type AuditEntry, subjectOf } from "./audit-words.ts";

const entry: AuditEntry = {
  sequence: 1,
  at: "2026-01-20T09:00:00.000Z",
  actor: { kind: "key", id: "a", name: "team", requestId: "req_1" },
  action: "key.created",
  subject: "b",
  before: null,
  after: null,
  hash: "0".repeat(64),
};

const said: readonly (readonly [Partial<AuditEntry>, string])[] = [
  [{ after: { name: "board" } }, "board"],
  [{ before: { name: "board" }, action: "key.revoked" }, "board"],
  [{ after: { url: "https://hooks.example.com/", name: "" } }, "https://hooks.example.com/"],
  [{ after: { vendor: "openai" } }, "openai"],
  [{ after: { source: "http" }, action: "answers.imported" }, "http"],
  [{ before: { answers: 1 }, action: "answers.removed" }, "1 answer"],
  [{ after: { labels: 3 }, action: "labels.stored" }, "3 labels"],
  [{}, "b"],
  [{ subject: null }, ""],
  [
    {
      action: "workspace.applied",
      after: { created: 2, updated: 0, retired: 1, items: [] },
    },
    "2 created, 1 retired",
  ],
];

test("an entry says what it is about", () => {
  for (const [part, words] of said) assert.equal(subjectOf({ ...entry, ...part }), words);
});
