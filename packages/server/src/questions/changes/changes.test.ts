import assert from "node:assert/strict";
import { test } from "node:test";
import { Changes } from "./changes.ts";
import { estimate, type Scale } from "./clusters.ts";
import type { Cluster } from "./moments.ts";

/** Twenty prompts, of which only some add anything. */
function promptsWith(numerators: readonly number[]): readonly Cluster[] {
  const nothing = { numerator: 0, denominator: 0 };
  return Array.from({ length: 20 }, (_, place) => {
    const numerator = numerators[place];
    return numerator === undefined ? nothing : { numerator, denominator: 1 };
  });
}

function verdictOf(scale: Scale, before: readonly number[], after: readonly number[]) {
  const changes = new Changes({ threshold: 0.02, hasVerdicts: true });
  const [first, second] = [promptsWith(before), promptsWith(after)];
  changes.add({
    before: first,
    after: second,
    scale,
    commonPrompts: 20,
    isContinuous: true,
    estimateBefore: estimate(first, scale),
    estimateAfter: estimate(second, scale),
  });
  return changes.judged().changes[0]?.verdict;
}

test("one mention on each side moves nothing, however many prompts were asked", () => {
  assert.equal(verdictOf("rank", [1], [2]), "insufficient");
  assert.equal(verdictOf("share", [1], [0]), "insufficient");
});

test("as many mentions as prompts can move", () => {
  const all = (value: number) => new Array<number>(20).fill(value);
  assert.equal(verdictOf("rank", all(1), all(2)), "moved");
  assert.equal(verdictOf("share", all(1), all(0)), "moved");
});
