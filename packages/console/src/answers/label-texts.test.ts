import assert from "node:assert/strict";
import { test } from "node:test";
import {
  actOfKey,
  labelMetrics,
  labelMetricTitle,
  labelQuestion,
  nextUnsaid,
} from "./label-texts.ts";

test("each metric has a question of its own, with the name in it", () => {
  const texts = labelMetrics.map((metric) => labelQuestion(metric, "Acme").text);
  assert.equal(new Set(texts).size, 7);
  assert.ok(texts.every((text) => text.startsWith("Does this answer") && text.includes("Acme")));
  assert.deepEqual(labelMetrics.slice(0, 3).map(labelMetricTitle), [
    "Mentioned",
    "Cited",
    "Recommended",
  ]);
});

test("the next answer without a label, around the end, until each has one", () => {
  const ids = ["a", "b", "c"];
  const next = (said: readonly string[], from: number) =>
    nextUnsaid(ids, new Map(said.map((id) => [id, true])), from);
  assert.deepEqual(
    [next([], 0), next(["a"], 0), next(["c"], 2), next(["b"], 1), next(ids, 1)],
    [0, 1, 0, 2, null],
  );
});

test("keys in either case, and no others", () => {
  const acts = ["y", "Y", "n", "s", "ArrowRight", "ArrowLeft", "u", "x", "Enter", "toString"];
  assert.deepEqual(acts.map(actOfKey), [
    ...["yes", "yes", "no", "skip", "skip", "back", "undo"],
    ...[null, null, null],
  ]);
});
