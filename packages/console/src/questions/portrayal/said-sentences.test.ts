import assert from "node:assert/strict";
import { test } from "node:test";
import type { PortrayalFlag } from "@sightline/client";
import { saidSentences } from "./said-sentences.ts";

const text = "Acme is here. It is good, really good. Acme is bad. Acme is fine.";

/** A mention at a place with cues, each in a sentence. */
function mentionAt(start: number, ...cues: readonly (readonly [PortrayalFlag, string, string])[]) {
  return {
    entityId: "acme",
    name: "Acme",
    start,
    end: start + 4,
    rank: 1,
    cues: cues.map(([flag, words, sentence]) => {
      const at = text.indexOf(words);
      const from = text.indexOf(sentence);
      const range: [number, number] = [from, from + sentence.length];
      return { flag, start: at, end: at + words.length, sentence: range, citations: [2] };
    }),
  };
}

test("the sentences of a flag, each once, with the name before and the pages behind", () => {
  const second = "It is good, really good.";
  const mentions = [
    mentionAt(0, ["praised", "good", second], ["praised", "really good", second]),
    mentionAt(39, ["criticized", "bad", "Acme is bad."]),
    mentionAt(52, ["praised", "fine", "Acme is fine."]),
  ];
  const { shown, left } = saidSentences({ text, mentions }, "acme", "praised");
  assert.equal(left, 0);
  const marked = shown.map(({ text: its, mentions: names, cues, citations }) => [
    its,
    names.map(({ start, end }) => its.slice(start, end)),
    cues.map(({ start, end }) => its.slice(start, end)),
    citations,
  ]);
  assert.deepEqual(marked, [
    ["Acme is here. It is good, really good.", ["Acme"], ["good", "really good"], [2]],
    ["Acme is fine.", ["Acme"], ["fine"], [2]],
  ]);
  assert.deepEqual(saidSentences({ text, mentions }, "globex", "praised").shown, []);
});
