import assert from "node:assert/strict";
import { test } from "node:test";
import { decided, type Label } from "./label-store.ts";

type Said = readonly [labeller: string, value: boolean, labelledAt?: number];

/** Labels of one answer, by labeller: said in the order given unless the time is. */
function labels(...said: readonly Said[]): readonly Label[] {
  return said.map(([labeller, value, labelledAt], place) => ({
    answerId: "a",
    entityId: "e",
    metric: "mentions",
    labeller,
    value,
    labelledAt: labelledAt ?? place,
  }));
}

const decision = (...said: readonly Said[]) => decided(labels(...said))[0]?.value;

test("the majority of labellers, then the last, then yes", () => {
  assert.deepEqual(decided([]), []);
  assert.equal(decision(["ann", true], ["bea", false], ["cem", true]), true);
  assert.equal(decision(["ann", false], ["bea", true], ["cem", false]), false);
  assert.equal(decision(["ann", true], ["bea", false]), false);
  assert.equal(decision(["ann", true, 9], ["bea", false]), true);
  assert.equal(decision(["ann", false, 1], ["bea", true, 1]), true);
});

test("each answer, entity and metric by itself", () => {
  const [own] = labels(["ann", true]);
  assert.ok(own !== undefined);
  const { labeller: _, labelledAt: _at, ...key } = own;
  assert.deepEqual(decided([own, { ...own, metric: "citations", value: false }]), [
    key,
    { ...key, metric: "citations", value: false },
  ]);
});
