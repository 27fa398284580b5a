import assert from "node:assert/strict";
import { test } from "node:test";
import type { WorkspacePreviewResponse } from "@sightline/client";
import { foundNote, foundWords } from "./found-answers.ts";

const none = { read: 0, answers: 0, interval: null };
const same = { before: 4, after: 4, added: none, removed: none };

test("what an edit finds is said with its basis, estimates as such", () => {
  const mentions = { ...same, added: { read: 29, answers: 29, interval: null } };
  const citations = { ...same, removed: { read: 1, answers: 1, interval: null } };
  const whole: WorkspacePreviewResponse = {
    answers: 1_240,
    read: 1_240,
    isSample: false,
    entities: [
      { id: "a", name: "Acme", mentions, citations },
      { id: "b", name: "Globex", mentions: same, citations: same },
    ],
  };
  assert.deepEqual(Object.fromEntries(foundWords(whole)), {
    a: ["Mentions: + 29 answers", "Citations: − 1 answer"],
    b: ["No recorded answer is found or lost"],
  });
  assert.equal(foundNote(whole), "Counted in all 1,240 recorded answers.");
  const added = { read: 29, answers: 5_800, interval: { low: 4_000, high: 8_100 } };
  const entities = [{ id: "a", name: "Acme", mentions: { ...same, added }, citations: same }];
  const sample = { answers: 1_000_000, read: 5_000, isSample: true, entities };
  assert.deepEqual(foundWords(sample).get("a"), [
    "Mentions: + about 5,800 answers (4,000 to 8,100)",
  ]);
  assert.match(foundNote(sample) ?? "", /^Estimated from 5,000 of 1,000,000 recorded answers/);
  assert.equal(foundNote({ answers: 0, read: 0, isSample: false, entities: [] })?.length, 34);
});
