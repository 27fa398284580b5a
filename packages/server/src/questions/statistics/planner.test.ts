import assert from "node:assert/strict";
import { test } from "node:test";
import type { Cluster } from "./moments.ts";
import { assumedVariation, leastChange, promptsFor, variationOf } from "./planner.ts";
import { close, ten, tenAfter } from "./vectors.ts";

const byPlace = (clusters: readonly Cluster[]) => new Map(clusters.entries());
const power = 0.8;

test("the prompts that show a change of an account", () => {
  const variation = variationOf(byPlace(ten), byPlace(tenAfter));
  assert.ok(variation !== null);
  close(variation.withinVariance, 0.0856342537);
  close(variation.correlation, 0.6560209115);
  assert.equal(variation.drift, 0);
  const wanted = [
    [7, 0.05, 177],
    [7, 0.1, 68],
    [1, 0.1, 183],
    [28, 0.1, 54],
  ] as const;
  for (const [answersPerPrompt, change, prompts] of wanted) {
    assert.equal(promptsFor(variation, { answersPerPrompt, change, power }), prompts);
  }
});

test("the prompts of an assumed variation, and the least change of some", () => {
  const variation = assumedVariation(0.3, 0.9);
  const answersPerPrompt = 7;
  const promptsOf = (change: number) => promptsFor(variation, { answersPerPrompt, change, power });
  assert.deepEqual([0.05, 0.1, 0.15].map(promptsOf), [156, 71, 45]);
  // R's root finder stops within 1.3e-5 of the root; below, the equation itself is checked.
  for (const [each, change] of [
    [1, 0.1696599436],
    [7, 0.1394100242],
    [28, 0.134703784],
  ] as const) {
    const least = leastChange(variation, { answersPerPrompt: each, prompts: 48, power });
    assert.ok(Math.abs(least - change) < 1.3e-5);
    const promptsOfLeast = (factor: number) =>
      promptsFor(variation, { answersPerPrompt: each, change: least * factor, power });
    assert.deepEqual([promptsOfLeast(1 + 1e-12), promptsOfLeast(1 - 1e-12)], [48, 49]);
  }
  assert.equal(promptsOf(1e-7), null);
});

test("answers asked once say nothing of how they vary within a prompt", () => {
  const once = new Map([0, 1, 2].map((prompt) => [prompt, { numerator: 1, denominator: 1 }]));
  const { isAssumed, correlation, drift } = variationOf(once, once) ?? {};
  assert.deepEqual([isAssumed, correlation, drift], [true, 0.9, 0]);
  assert.equal(variationOf(new Map(), once), null);
});

test("the drift is of the prompts that both windows have", () => {
  const cluster = (numerator: number, denominator: number) => ({ numerator, denominator });
  const common: readonly (readonly [Cluster, Cluster])[] = [
    [cluster(1, 7), cluster(6, 7)],
    [cluster(5, 7), cluster(2, 7)],
    [cluster(2, 7), cluster(2, 7)],
  ];
  const before = byPlace(common.map(([one]) => one));
  const after = byPlace(common.map(([, two]) => two));
  // One answer each, to 20 prompts that the other window lacks.
  const single = Array.from({ length: 20 }, (_, prompt) => [100 + prompt, cluster(0, 1)] as const);
  const variation = variationOf(before, new Map([...after, ...single]));
  assert.ok(variation !== null);
  // s² of 5/7, −3/7 and 0, less σ²·(1/7 + 1/7)
  const squares = [25, 9, 0].reduce((sum, each) => sum + each / 49, 0);
  const sampled = (squares - (2 / 7) ** 2 / 3) / 2;
  close(variation.drift, sampled - (2 / 7) * variation.withinVariance);
});
