import assert from "node:assert/strict";
import { test } from "node:test";
import { pickFrom, seededRandom, shuffled, weightedPicker } from "./random.ts";

test("a seed gives the numbers of the published mulberry32", () => {
  const random = seededRandom(0);
  const drawn = [random.next(), random.next(), random.next()].map((value) => value * 2 ** 32);
  assert.deepEqual(drawn, [1144304738, 1416247, 958946056]);
});

test("between reaches both of its ends and nothing outside", () => {
  const random = seededRandom(7);
  const drawn = new Set(Array.from({ length: 200 }, () => random.between(3, 5)));
  assert.deepEqual([...drawn].sort(), [3, 4, 5]);
});

test("shuffled keeps every item and leaves the list alone", () => {
  const items = [1, 2, 3, 4, 5];
  assert.deepEqual(shuffled(seededRandom(3), items).sort(), items);
  assert.deepEqual(items, [1, 2, 3, 4, 5]);
});

test("a weighted picker follows its weights and never gives an item of weight 0", () => {
  const random = seededRandom(11);
  const pick = weightedPicker(["never", "often", "rarely"], (_, place) => [0, 9, 1][place] ?? 0);
  const drawn = Array.from({ length: 2_000 }, () => pick(random));
  assert.equal(drawn.filter((item) => item === "never").length, 0);
  const often = drawn.filter((item) => item === "often").length;
  assert.ok(often > 1_700 && often < 1_900, `${often}`);
});

test("nothing can be picked from nothing", () => {
  assert.throws(() => pickFrom(seededRandom(1), []), RangeError);
  assert.throws(() => weightedPicker(["item"], () => 0), RangeError);
});
