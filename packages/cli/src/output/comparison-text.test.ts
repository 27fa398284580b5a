import assert from "node:assert/strict";
import { test } from "node:test";
import { verdictCells } from "./comparison-text.ts";

test("a small p is said to be below a thousandth, and never to be 0", () => {
  const change = { value: 0.1, interval: null, p: 0.01, verdict: "moved" as const };
  const texts = [0.0004, 0.001, 0.0496, null].map((adjustedP) => {
    return verdictCells({ ...change, adjustedP })[0]?.text;
  });
  assert.deepEqual(texts, ["<0.001", "0.001", "0.050", "–"]);
});
