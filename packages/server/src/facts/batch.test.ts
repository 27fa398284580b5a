import assert from "node:assert/strict";
import { test } from "node:test";
import type { RecordedContent } from "../answers/answer-store.ts";
import { factRowsOf } from "./batch.ts";
import { codesOf } from "./codes.ts";
import { buffersOf } from "./fact-rows.ts";
import type { Snapshot } from "./snapshot.ts";

const promptId = "30000000-0000-4000-8000-000000000001";
const snapshot: Snapshot = {
  factsVersion: 0,
  extractionVersion: "",
  entities: [],
  topics: [],
  prompts: [{ id: promptId, topicId: null, branded: false }],
};
const answer = (sequence: number): RecordedContent => ({
  sequence,
  stamp: "",
  promptId,
  provider: "OPENAI",
  region: null,
  answeredAt: Date.UTC(2026, 0, sequence),
  outcome: "answered",
  text: "",
  citations: [],
});
const read = (answers: Iterable<RecordedContent>) =>
  factRowsOf(answers, codesOf(snapshot), () => ({
    mentions: [],
    citedEntities: [],
    citations: [{ url: "https://a.com/", domain: "a.com" }],
  }));

test("a batch holds nothing of one whose reading failed", () => {
  const alone = read([answer(1)]);
  function* failing() {
    yield answer(1);
    yield answer(2);
    throw new Error("the record cannot be read");
  }
  assert.throws(() => read(failing()), /cannot be read/);
  assert.deepEqual(read([answer(1)]), alone);
});

test("a batch stays as it is when the next one is read, and its memory can move away", () => {
  const first = read([answer(1), answer(2)]);
  assert.ok(first !== null);
  const before = structuredClone(first);
  const moved = structuredClone(first, { transfer: [...buffersOf(first)] });
  assert.equal(read([answer(3)])?.answers.day.length, 1);
  assert.deepEqual(moved, before);
});
