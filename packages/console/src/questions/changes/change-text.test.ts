import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  addingUp,
  type Change,
  likeForLike,
  partLines,
  verdictLine,
  verdictText,
} from "./change-text.ts";

const parts = { likeForLike: 0.0213, mix: 0.003149, promptsAdded: 0.0089, promptsRemoved: -0.001 };
const moved: Change = {
  value: 0.032349,
  parts,
  effectivePrompts: 37,
  interval: { low: 0.0041, high: 0.0385 },
  p: 0.004,
  adjustedP: 0.012,
  verdict: "moved",
  flags: [],
};

test("a change is shown like for like, with its verdict and its interval", () => {
  assert.equal(likeForLike(moved), 0.0213);
  assert.deepEqual(verdictLine("mentions", moved), ["clear change", "+0.4 to +3.9 pts"]);
  assert.equal(verdictText(moved), "Clear change: chance seldom shows as much (adjusted p 0.012).");
  const alike: Change = { ...moved, verdict: "within-noise", interval: null };
  assert.deepEqual(verdictLine("rank", alike), ["no clear change"]);
});

test("what cannot be compared says which nothing it is", () => {
  const untested = { ...moved, interval: null, p: null, adjustedP: null };
  const words = (change: Partial<Change>) =>
    verdictLine("mentions", { ...untested, verdict: "insufficient", ...change });
  assert.deepEqual(words({}), ["too few prompts"]);
  assert.deepEqual(words({ parts: null }), ["no common prompts"]);
  assert.deepEqual(words({ parts: null, value: null }), ["nothing to compare"]);
  assert.deepEqual(words({ verdict: null }), ["under 7 days"]);
  assert.equal(partLines("mentions", { ...untested, parts: null }, null), null);
  assert.equal(likeForLike({ ...untested, parts: null }), null);
});

test("where other models answered, the change of the other providers stands beside it", () => {
  const discontinuous: Change = { ...moved, verdict: "discontinuous", interval: null };
  const continuing = { ...moved, parts: { ...parts, likeForLike: -0.011 } };
  assert.deepEqual(verdictLine("mentions", { ...discontinuous, continuing }), [
    "other models answered",
    "unchanged providers \u22121.1 pts",
    "clear change",
  ]);
  assert.deepEqual(verdictLine("mentions", { ...discontinuous, continuing: null }), [
    "other models answered",
    "no unchanged provider",
  ]);
});

test("the lines of the parts add up as they stand, with the numbers of prompts", () => {
  assert.deepEqual(
    partLines("mentions", moved, { before: 46, after: 48 })?.map(({ text, about }) => [
      text,
      about,
    ]),
    [
      ["+2.13 pts", "37 effective prompts in both"],
      ["+0.31 pts", "other shares of providers and regions"],
      ["+0.89 pts", "with answers only in this period"],
      ["\u22120.10 pts", "with answers only in the period before"],
      ["+3.23 pts", "46 prompts before, 48 now"],
    ],
  );
});

test("rounded values add up to the rounded total, each within a unit of its own", () => {
  assert.deepEqual(addingUp([0.1 / 3, 0.1 / 3, 0.1 / 3], 0.1, 2), [0.04, 0.03, 0.03]);
  const amounts = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1 });
  fc.assert(
    fc.property(amounts, fc.constantFrom(3, 4), (values, decimals) => {
      const total = values.reduce((sum, each) => sum + each, 0);
      const shown = addingUp(values, total, decimals);
      const units = shown.map((each) => Math.round(each * 10 ** decimals));
      const sum = units.reduce((all, each) => all + each, 0);
      assert.equal(sum, Math.round(total * 10 ** decimals) + 0);
      for (const [at, each] of shown.entries()) {
        assert.ok(Math.abs(each - (values[at] ?? 0)) < 1.5 * 10 ** -decimals + 1e-12);
      }
    }),
  );
});
