import assert from "node:assert/strict";
import { test } from "node:test";
import { differenceText, rounded, roundedP, valueText } from "./measures.ts";

test("what is not nothing is not rounded to 0", () => {
  assert.deepEqual([0.66666, 1.5, 0.0005, 0, null, undefined].map(rounded), [
    ...[0.667, 1.5, 0.001, 0, null, null],
  ]);
  assert.deepEqual([4 / 10_000, -0.00012, 0.1 * 3 - 0.3].map(rounded), [0.0004, -0.0001, 0]);
});

test("a p is not 0, however little it is", () => {
  assert.deepEqual([4.4e-9, 0.00012, 0.0456, null, undefined].map(roundedP), [
    ...[4e-9, 0.0001, 0.046, null, null],
  ]);
});

test("a difference has the sign of its figure", () => {
  assert.equal(differenceText("visibility", -0.0004), "0.0 points");
  assert.equal(differenceText("rank", -0.004), "0.00 places");
  assert.equal(differenceText("rank", 0.004), "0.00 places");
  assert.equal(differenceText("visibility", -0.0005), "-0.1 points");
  assert.equal(differenceText("mentions", 0.012), "+1.2 points");
});

test("a value in a sentence is not 0 unless it is", () => {
  assert.equal(valueText("mentions", 4 / 10_000), "under 0.1 %");
  assert.equal(valueText("mentions", 0), "0.0 %");
  assert.equal(valueText("mentions", 0.0005), "0.1 %");
  assert.equal(valueText("rank", 1.5), "place 1.50");
});
