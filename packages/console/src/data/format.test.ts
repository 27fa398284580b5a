import assert from "node:assert/strict";
import { test } from "node:test";
import { arrowOf, changeBoundsText, changeText, dollarsText, intervalText } from "./format.ts";

test("an arrow leads where the line of the chart does: a worse rank is lower", () => {
  assert.deepEqual([arrowOf("mentions", 0.1), arrowOf("mentions", -0.1)], ["rise", "fall"]);
  assert.deepEqual([arrowOf("rank", 0.19), arrowOf("rank", -0.19)], ["fall", "rise"]);
});

test("changes have a minus as wide as a plus, whatever their places", () => {
  assert.equal(changeText("mentions", -0.0041), "\u22120.4 pts");
  assert.equal(changeText("shareOfVoice", -0.0041, 2), "\u22120.41 pts");
  assert.equal(changeText("rank", 0.19), "+0.19");
});

test("the bounds of a change have their signs, and one unit", () => {
  const bounds = { low: -0.012, high: 0.034 };
  assert.equal(changeBoundsText("mentions", bounds), "\u22121.2 to +3.4 pts");
  assert.equal(changeBoundsText("rank", bounds), "\u22120.01 to +0.03");
});

test("dollars have cents alone, and less than a cent is not nothing", () => {
  assert.deepEqual([1.84, 0.9792, 0.24, 0, 0.0032].map(dollarsText), [
    ...["$1.84", "$0.98", "$0.24", "$0.00", "< $0.01"],
  ]);
});

test("an interval has a place where whole per cents would hide its width", () => {
  assert.equal(intervalText("rank", null), null);
  assert.equal(intervalText("rank", { low: 1, high: 1.25 }), "1.0–1.3");
  assert.equal(intervalText("mentions", { low: 1, high: 1 }), "100.0–100.0%");
});
