import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { answersMin, driftOf } from "./answer-drift.ts";
import type { ModelReading } from "./store/collection-store.ts";

/** Answers of a model: how many cite a page, how many have a cost, and their total length. */
function reading(answers: number, fields: Partial<ModelReading> = {}): ModelReading {
  return {
    model: "m",
    answers,
    citing: answers,
    priced: answers,
    length: 100 * answers,
    ...fields,
  };
}

const usual = [[reading(40)], [reading(40, { citing: 36 })]];

test("a share or a length below a quarter of the earlier one is reported, with the numbers", () => {
  assert.deepEqual(driftOf([reading(40, { citing: 9 })], usual), [
    "Of 40 answers of m, 9 cite a page; in the sweeps before, 95 % did.",
  ]);
  assert.deepEqual(
    driftOf([reading(30, { model: null, citing: 0 })], [[reading(30, { model: null })]]),
    ["Of 30 answers, 0 cite a page; in the sweeps before, 100 % did."],
  );
  assert.deepEqual(driftOf([reading(40, { priced: 0, length: 800 })], usual), [
    "Of 40 answers of m, 0 have a cost; in the sweeps before, 100 % did.",
    "Of 40 answers of m, the mean length is 20 characters; in the sweeps before, 100.",
  ]);
  assert.deepEqual(driftOf([reading(40, { citing: 10 })], usual), [], "a quarter and more");
});

test("few answers, another model and rare citations before are inconclusive", () => {
  const none = { citing: 0, priced: 0, length: 0 };
  assert.deepEqual(driftOf([reading(answersMin - 1, none)], usual), []);
  assert.deepEqual(driftOf([reading(40, none)], []), [], "the first sweep");
  assert.deepEqual(driftOf([reading(40, none)], [[reading(answersMin - 1)]]), []);
  assert.deepEqual(driftOf([reading(40, { ...none, model: "other" })], usual), []);
  const rare = [[reading(100, { citing: 15, priced: 0 })]];
  assert.deepEqual(driftOf([reading(40, { citing: 0, priced: 0 })], rare), [], "6 were expected");
});

test("answers like earlier ones are never reported, however many", () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), share, share, (answers, citing, priced) => {
      const like = (count: number) =>
        reading(count, { citing: Math.ceil(citing * count), priced: Math.ceil(priced * count) });
      assert.deepEqual(driftOf([like(answers)], [[like(answers)], [like(2 * answers)]]), []);
    }),
  );
});
