import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type ChangeEstimate, changeOf } from "./change.ts";
import { cellsOf, close, clustersOf, numbers, sideOf } from "./vectors.ts";
import { adjustedP, Changes, type Judged, type Judging } from "./verdicts.ts";

const judging: Judging = { threshold: 0.02, rankThreshold: 0.1, hasVerdicts: true };

function changeWith(p: number, likeForLike = 0.1, effectivePrompts = 20): ChangeEstimate {
  const parts = { likeForLike, mix: 0, promptsAdded: 0, promptsRemoved: 0 };
  return { value: likeForLike, parts, effectivePrompts, interval: null, p, flags: [] };
}

const tested = (change: ChangeEstimate | null): Judged => {
  return { change, scale: "rate", discontinuity: 0, continuing: null };
};

function judged(changes: readonly Judged[], how = judging) {
  const all = new Changes(how);
  for (const each of changes) all.add(each);
  return all.judged();
}

test("of fifteen tests four are rejected", () => {
  const ps = numbers(
    ".0001 .0004 .0019 .0095 .0201 .0278 .0298 .0344 .0459 .3240 .4262 .5719 .6528 .7590 1",
  );
  const adjusted = adjustedP(ps);
  assert.equal(adjusted.filter((p) => p <= 0.05).length, 4);
  const wanted = numbers(".0015 .003 .0095 .035625 .0603 .0638571 .0638571 .0645 .0765 .486");
  for (const [place, p] of wanted.entries()) close(adjusted[place], p, 7);
  assert.deepEqual(adjustedP(ps.toReversed()), adjusted.toReversed());
});

test("a difference below the threshold counts as a test that shows nothing", () => {
  const ps = [0.001, 0.004, 0.012, 0.03, 0.0005, 0.2, 0.008];
  const small = [4, 6];
  const { changes, tests } = judged(
    ps.map((p, place) => tested(changeWith(p, small.includes(place) ? 0.019 : 0.02))),
  );
  assert.equal(tests, 7);
  const wanted = [0.007, 0.014, 0.028, 0.0525, 1, 0.28, 1];
  for (const [place, p] of wanted.entries()) close(changes[place]?.adjustedP, p);
  assert.deepEqual(
    changes.map(({ verdict }) => verdict === "moved"),
    wanted.map((p) => p <= 0.05),
  );
  const [rank] = judged([{ ...tested(changeWith(0.001, 0.09)), scale: "rank" }]).changes;
  assert.deepEqual([rank?.verdict, rank?.adjustedP], ["within-noise", 1]);
});

test("what is not tested has no adjusted p, and changes none of the others", () => {
  const others: readonly Judged[] = [
    tested(null),
    tested(changeWith(0.001, 0.1, 5)),
    { ...tested(changeWith(0.001)), discontinuity: 0.02 },
  ];
  const { changes, tests } = judged([tested(changeWith(0.04)), ...others]);
  assert.equal(tests, 1);
  assert.deepEqual(
    changes.map(({ verdict, adjustedP: p }) => [verdict, p]),
    [
      ["moved", 0.04],
      ["insufficient", null],
      ["insufficient", null],
      ["discontinuous", null],
    ],
  );
  const short = judged([tested(changeWith(0.001))], { ...judging, hasVerdicts: false });
  assert.deepEqual([short.tests, short.changes[0]?.verdict], [0, null]);
});

test("what stayed of a discontinuous change is a test of the reply", () => {
  const one: Judged = {
    ...tested(changeWith(0.5)),
    discontinuity: 0.3,
    continuing: changeWith(0.02),
  };
  const { changes, tests } = judged([one, tested(changeWith(0.03))]);
  assert.equal(tests, 2);
  const [first] = changes;
  assert.deepEqual([first?.verdict, first?.adjustedP], ["discontinuous", null]);
  assert.deepEqual([first?.continuing?.verdict, first?.continuing?.adjustedP], ["moved", 0.03]);
  assert.equal(judged([{ ...one, continuing: null }]).changes[0]?.continuing, null);
});

test("fewer than six prompts that differ never move", () => {
  const window = fc.array(fc.nat(7), { minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(window, fc.array(fc.nat(7), { maxLength: 5 }), (hits, other) => {
      const before = hits.join(" ");
      const after = hits.map((hit, place) => other[place] ?? hit).join(" ");
      const [first, second] = [before, after].map((each) => sideOf(cellsOf(clustersOf(each, "7"))));
      assert.ok(first !== undefined && second !== undefined);
      const [change] = judged([tested(changeOf(first, second))]).changes;
      assert.notEqual(change?.verdict, "moved");
    }),
  );
});
