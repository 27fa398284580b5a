import assert from "node:assert/strict";
import { test } from "node:test";
import { testedCells, verdictText } from "./comparison-text.ts";
import { unitOf } from "./units.ts";

const unit = unitOf("mentions");
const change = {
  value: 0.1,
  parts: { likeForLike: 0.08, mix: 0.02, promptsAdded: 0, promptsRemoved: 0 },
  effectivePrompts: 20,
  interval: { low: 0.02, high: 0.14 },
  p: 0.01,
  adjustedP: 0.01,
  verdict: "moved" as const,
  flags: [],
};

test("a small p is said to be below a thousandth, and never to be 0", () => {
  const texts = [0.0004, 0.001, 0.0496, null].map((adjustedP) => {
    return testedCells({ ...change, adjustedP }, unit)[2]?.text;
  });
  assert.deepEqual(texts, ["<0.001", "0.001", "0.050", "–"]);
});

test("the like-for-like change is what is tested, not the whole one", () => {
  const texts = testedCells(change, unit).map(({ text }) => text);
  assert.deepEqual(texts, ["+8.0 pp", "+2.0 pp to +14.0 pp", "0.010", "moved"]);
  const none = testedCells({ ...change, parts: null, interval: null }, unit);
  assert.deepEqual([none[0]?.text, none[1]?.text], ["–", "–"]);
});

test("a discontinuous change says what the providers that stayed did", () => {
  const untested = { ...change, adjustedP: null, verdict: "discontinuous" as const };
  assert.equal(
    verdictText({ ...untested, continuing: change }, unit),
    "discontinuous; of the providers that stayed: +8.0 pp, moved",
  );
  const none = verdictText({ ...untested, continuing: null }, unit);
  assert.equal(none, "discontinuous; no provider stayed");
});
