import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type ChangeEstimate, changeOf, dayTest, type Side } from "./change.ts";
import type { Cluster } from "./moments.ts";
import {
  type Cell,
  cellsOf,
  close,
  clustersOf,
  numbers,
  sideOf,
  ten,
  tenAfter,
} from "./vectors.ts";

const changeOfPrompts = (before: readonly Cluster[], after: readonly Cluster[]) =>
  changeOf(sideOf(cellsOf(before)), sideOf(cellsOf(after)));

function assertChange(
  change: ChangeEstimate | null,
  [likeForLike, p, low, high]: readonly [number, number, number, number],
) {
  close(change?.parts?.likeForLike, likeForLike);
  close(change?.p, p);
  close(change?.interval?.low, low);
  close(change?.interval?.high, high);
}

test("a change is paired by prompt, and no surer than its prompts can tell", () => {
  const change = changeOfPrompts(ten, tenAfter);
  // Five prompts differ, so that all of them move one way by chance in one case of sixteen.
  assertChange(change, [0.1227743271, 0.0625, 0, 0.2270222786]);
  assert.deepEqual(change?.flags, ["fewDays"]);
  const twelve = changeOfPrompts(
    clustersOf("7 6 0 0 7 1 3 0 7 2 4 5", "7"),
    clustersOf("7 7 1 0 7 3 5 2 7 4 6 5", "7 7 7 7 7 7 7 7 7 6 7 7"),
  );
  assertChange(twelve, [0.1506024096, 0.015625, 0.0575060682, 0.2436987511]);
});

test("a change of ranks, of the prompts that mention the entity on both sides", () => {
  const ranks = changeOfPrompts(
    clustersOf("9 14 4 0 21 6 10 3 8 12 5 9", "7 6 1 0 7 4 5 3 0 6 2 4"),
    clustersOf("7 15 5 4 18 6 8 5 6 9 0 7", "7 6 2 2 7 5 5 4 2 6 0 4"),
  );
  assert.equal(ranks?.effectivePrompts, 8);
  assertChange(ranks, [-0.3073811931, 0.0092045522, -0.5114807991, -0.1032815872]);
});

test("few prompts have a change and no test", () => {
  const none = clustersOf("0 ".repeat(27).trim(), "0");
  const three = changeOfPrompts(
    [...clustersOf("24 30 18", "12"), ...none],
    [...clustersOf("28 33 20", "12"), ...none],
  );
  assert.deepEqual([three?.effectivePrompts, three?.p, three?.interval], [3, null, null]);
  const one = changeOfPrompts(clustersOf("24", "12"), clustersOf("28", "12"));
  assert.deepEqual([one?.effectivePrompts, one?.p, one?.interval], [1, null, null]);
});

test("prompts that all change alike, and those that do not change", () => {
  const all = changeOfPrompts(clustersOf("0 0 0 0 0 0", "4"), clustersOf("4 4 4 4 4 4", "4"));
  assert.deepEqual([all?.p, all?.interval], [0.03125, null]);
  const same = changeOfPrompts(ten, ten);
  assert.deepEqual([same?.parts?.likeForLike, same?.p, same?.interval], [0, 1, null]);
});

test("what other shares of the providers bring about is not a change of the brand", () => {
  const cellsWith = (ofP: readonly Cluster[], ofQ: readonly Cluster[]) =>
    sideOf([...cellsOf(ofP, 1), ...cellsOf(ofQ, 2)]);
  const change = changeOf(
    cellsWith(clustersOf("5 6 2 0 7 3 1 4", "7"), clustersOf("2 3 0 0 5 1 0 2", "7")),
    cellsWith(clustersOf("6 6 3 1 7 3 2 5", "7"), clustersOf("1 2 0 0 2 1 0 1", "3")),
  );
  close(change?.parts?.mix, 0.056547619);
  assertChange(change, [0.077380_952_4, 0.0078125, 0.0365353089, 0.1182265959]);
  close((change?.parts?.likeForLike ?? 0) + (change?.parts?.mix ?? 0), 0.5 - 0.3660714286);
  // Without a pair on both sides the providers are compared on purpose.
  const [p, q] = [sideOf(cellsOf(ten, 1)), sideOf(cellsOf(tenAfter, 2))];
  assert.equal(changeOf(p, q)?.parts?.mix, 0);
});

test("prompts that came and went are parts of their own", () => {
  const named = (entries: readonly (readonly [number, number])[]) =>
    sideOf(entries.map(([prompt, numerator]) => ({ prompt, pair: 0, numerator, denominator: 10 })));
  const [a, b, c, d] = [1, 2, 3, 4] as const;
  const change = changeOf(
    named([
      [a, 4],
      [b, 6],
      [c, 1],
    ]),
    named([
      [a, 5],
      [b, 7],
      [d, 9],
    ]),
  );
  close(change?.value, 0.3333333333);
  close(change?.parts?.likeForLike, 0.1);
  assert.equal(change?.parts?.mix, 0);
  close(change?.parts?.promptsAdded, 0.1);
  close(change?.parts?.promptsRemoved, 0.1333333333);
  const apart = changeOf(named([[a, 4]]), named([[b, 6]]));
  assert.deepEqual([apart?.parts, apart?.p], [null, null]);
  close(apart?.value, 0.2);
  assert.equal(changeOf(sideOf([]), named([[a, 4]])), null);
});

test("days that vary together make a change less sure", () => {
  const daysOf = (hits: string) =>
    numbers(hits).map((numerator) => ({ numerator, denominator: 50, prompts: 10 }));
  const sideWith = (hits: string): Side => {
    const days = daysOf(hits);
    const numerator = days.reduce((sum, day) => sum + day.numerator, 0);
    const cell = { prompt: 0, pair: 0, numerator, denominator: 350 };
    return { ...sideOf([cell], days), prompts: 10 };
  };
  const sides = [sideWith("20 22 18 21 25 19 20"), sideWith("24 26 23 27 25 28 22")] as const;
  close(dayTest(sides, 0.0857142857), 0.0113272339);
  const short = { ...sides[1], days: sides[1].days.slice(3) };
  assert.equal(dayTest([sides[0], short], 0.0857142857), null, "four days tell nothing");
  const thin = { ...sides[1], prompts: 13 };
  assert.equal(dayTest([sides[0], thin], 0.0857142857), null, "days of too few prompts");
});

const cell = fc
  .record({ prompt: fc.nat(30), pair: fc.nat(4), hits: fc.nat(6), denominator: fc.nat(6) })
  .map(({ hits, ...rest }): Cell => ({ ...rest, numerator: Math.min(hits, rest.denominator) }));
const cells = fc.array(cell, { maxLength: 120 });

test("parts add up; sides swapped turn the signs; order changes no bit", () => {
  fc.assert(
    fc.property(cells, cells, (before, after) => {
      const change = changeOf(sideOf(before), sideOf(after));
      const swapped = changeOf(sideOf(after), sideOf(before));
      assert.deepEqual(changeOf(sideOf(before.toReversed()), sideOf(after.toReversed())), change);
      if (change === null || change.parts === null) return;
      const { likeForLike, mix, promptsAdded, promptsRemoved } = change.parts;
      close(likeForLike + mix + promptsAdded + promptsRemoved, change.value, 12);
      assert.equal(swapped?.p, change.p);
      close(swapped?.parts?.likeForLike, -likeForLike, 12);
      close(swapped?.parts?.mix, -mix, 12);
      const { p, interval } = change;
      if (p === null || interval === null) return;
      assert.equal(interval.low <= 0 && interval.high >= 0, p > 0.05);
    }),
  );
});

test("prompts on one side only change the value, and nothing of what is compared", () => {
  fc.assert(
    fc.property(cells, cells, cells, (before, after, more) => {
      const added = more.map((each) => ({ ...each, prompt: each.prompt + 100 }));
      const change = changeOf(sideOf(before), sideOf(after));
      const other = changeOf(sideOf(before), sideOf([...after, ...added]));
      if (change?.parts == null || other?.parts == null) return;
      const { value: _, parts, ...rest } = change;
      const { value: __, parts: otherParts, ...otherRest } = other;
      assert.deepEqual(otherRest, rest);
      assert.equal(otherParts.likeForLike, parts.likeForLike);
      assert.equal(otherParts.mix, parts.mix);
    }),
  );
});
