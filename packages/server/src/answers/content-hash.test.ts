import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answer, contentHash, type TextSpan, unknownCollection } from "./answer.ts";

const answer: Answer = {
  id: "aaaaaaaa-0000-4000-8000-000000000001",
  promptId: "11111111-1111-4111-8111-111111111111",
  provider: "OPENAI",
  region: null,
  answeredAt: 0,
  outcome: "answered",
  text: "Take Acme.",
  citations: [{ url: "u", title: null, cited: true }],
  model: null,
  surface: null,
  sample: 0,
  metadata: { a: [1, { b: 2, c: 3 }], d: {} },
  ...unknownCollection,
};

const hash = (changes: Partial<Answer>) => contentHash({ ...answer, ...changes }).toString("hex");

test("the id and the order of metadata's keys do not count", () => {
  assert.equal(hash({ id: "aaaaaaaa-0000-4000-8000-000000000002" }), hash({}));
  assert.equal(hash({ metadata: { d: {}, a: [1, { c: 3, b: 2 }] } }), hash({}));
});

test("what says nothing of its collection and has no spans has the hash that it always had", () => {
  const known = "80a60cbc90507b406ec994ace8f2f52f57a442ad20a09eb6d004306f337e76c4";
  assert.equal(hash({}), known);
});

const withSpans = (...spans: readonly TextSpan[]): Partial<Answer> => ({
  citations: [{ url: "u", title: null, cited: true, spans }],
});

test("everything else counts", () => {
  const changed: Partial<Answer>[] = [
    { promptId: "11111111-1111-4111-8111-111111111112" },
    { provider: "GROK" },
    { region: "US" },
    { answeredAt: 1 },
    { outcome: "failed" },
    { text: "Take Acme. " },
    { citations: [] },
    { citations: [{ url: "u", title: "t", cited: true }] },
    { citations: [{ url: "u", title: null, cited: false }] },
    withSpans([0, 4]),
    withSpans([0, 4], [5, 9]),
    withSpans([0, 4], [5, 10]),
    { model: "m" },
    { surface: "api" },
    { sample: 1 },
    { metadata: null },
    { metadata: {} },
    // An array that looks like an object's keys and values, and the order inside of an array.
    { metadata: { a: [1, { b: 2, c: 3 }], d: [] } },
    {
      metadata: {
        a: [
          1,
          [
            ["b", 2],
            ["c", 3],
          ],
        ],
        d: {},
      },
    },
    { metadata: { a: [{ b: 2, c: 3 }, 1], d: {} } },
    { metadata: { a: [1, { b: 2, c: 3 }], d: { entries: [] } } },
    { metadata: { a: ["1", { b: 2, c: 3 }], d: {} } },
    { searchQueries: ["v"] },
    { searchQueries: ["v", "r"] },
    { vendor: "v" },
    { requestedRegion: "v" },
    { cost: { amount: 1, currency: "USD", estimated: false } },
    { cost: { amount: 1, currency: "USD", estimated: true } },
    { cost: { amount: 1, currency: "EUR", estimated: false } },
    { cost: { amount: 0, currency: "USD", estimated: false } },
  ];
  const hashes = [hash({}), ...changed.map(hash)];
  assert.equal(new Set(hashes).size, hashes.length);
});
