import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answer, derivedAnswerId, unknownCollection } from "./answer.ts";

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";
const answer: Omit<Answer, "id"> = {
  promptId: "11111111-1111-4111-8111-111111111111",
  provider: "OPENAI",
  region: null,
  answeredAt: Date.parse("2026-10-01T08:00:00Z"),
  outcome: "answered",
  text: "Take Acme.",
  citations: [],
  model: null,
  surface: null,
  sample: 0,
  metadata: null,
  ...unknownCollection,
};

/** The ids come from Python's uuid.uuid5(account, "prompt\nprovider\nregion\ninstant\nsample"). */
const known: readonly (readonly [changes: Partial<Answer>, id: string])[] = [
  [{}, "182d17fd-4a96-5bd1-ad54-6d72650f3699"],
  [{ sample: 3 }, "b7965c72-fd5a-5d78-b8e8-f0718e975c81"],
  [{ region: "US" }, "198aad41-1ac2-534a-a2bd-15e5abec5c97"],
  [{ region: "US", sample: 3 }, "3509f14f-6822-56ad-b77f-53969df8085d"],
];

for (const [changes, id] of known) {
  test(`the id of an answer that brings none: ${JSON.stringify(changes)}`, () => {
    assert.equal(derivedAnswerId(accountId, { ...answer, ...changes }), id);
  });
}

test("each part of the question counts, and nothing of what was answered", () => {
  const idOf = (changes: Partial<Answer>) => derivedAnswerId(accountId, { ...answer, ...changes });
  const questions: Partial<Answer>[] = [
    { promptId: "11111111-1111-4111-8111-111111111112" },
    { provider: "GROK" },
    { region: "DE" },
    { answeredAt: answer.answeredAt + 1 },
    { sample: 1 },
  ];
  assert.equal(new Set([idOf({}), ...questions.map(idOf)]).size, 1 + questions.length);
  const replies: Partial<Answer>[] = [
    { text: "Take Globex." },
    { outcome: "failed" },
    { citations: [{ url: "https://acme.com", title: null, cited: true }] },
    { model: "x" },
    { surface: "web" },
    { metadata: { a: 1 } },
    { searchQueries: ["anvils"], vendor: "openai", requestedRegion: "US" },
    { cost: { amount: 1, currency: "USD", estimated: true } },
  ];
  assert.deepEqual(
    replies.map(idOf),
    replies.map(() => idOf({})),
  );
  assert.notEqual(derivedAnswerId("0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a002", answer), idOf({}));
});
