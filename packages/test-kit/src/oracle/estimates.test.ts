import assert from "node:assert/strict";
import { test } from "node:test";
import {
  adjusted,
  answersOf,
  type Both,
  changeOf,
  effective,
  estimated,
  isCommon,
  type Kind,
  type Part,
  spreadOf,
  total,
  varianceOf,
} from "./estimates.ts";
import { opportunityAmong } from "./gaps.ts";
import { critical, probabilityBeyond } from "./student.ts";

/** The vectors of design/insights: the oracle has to be right before it judges anything. */

const near = (got: number | null | undefined, wanted: number, digits = 10) =>
  assert.ok(
    typeof got === "number" && Math.abs(got - wanted) <= 0.50001 * 10 ** -digits,
    `${got} is not ${wanted}`,
  );

/** Parts from numbers separated by spaces; one denominator stands for all. */
function partsOf(a: string, b: string): readonly Part[] {
  const [hits, all] = [a, b].map((text) => text.split(" ").map(Number));
  return (hits ?? []).map((each, j) => ({ a: each, b: all?.[j] ?? all?.[0] ?? 0 }));
}

const repeated = <Item>(items: readonly Item[], times: number) =>
  Array.from({ length: times }, () => items).flat();

const none: Part = { a: 0, b: 0 };

const both = (before: readonly Part[], after: readonly Part[]): readonly Both<Part>[] =>
  before.map((each, j) => [each, after[j] ?? none]);

/** All answers to common prompts as those of one pair of provider and region. */
function ofOnePair(prompts: readonly Both<Part>[]): Both<Part> {
  const common = prompts.filter(isCommon);
  return [total(common.map(([before]) => before)), total(common.map(([, after]) => after))];
}

/** A change of prompts alone: all of one pair, and on too few days. */
function changed(before: readonly Part[], after: readonly Part[]) {
  const prompts = both(before, after);
  return changeOf({ prompts, pairs: [ofOnePair(prompts)], days: [[], []] });
}

/** The standard error of a change of prompts that are all on both sides. */
const errorOf = (before: readonly Part[], after: readonly Part[]) =>
  Math.sqrt(varianceOf([before, after], [-1, 1]));

interface Vector {
  readonly parts: readonly Part[];
  readonly kind?: Kind;
  readonly effectivePrompts?: number;
  readonly error?: number;
  readonly h?: number;
  readonly n?: number;
  readonly interval: readonly [number, number];
}

const survey = partsOf(
  "11 31 3 10 15 2 1 4 12 18 7 11 32 1 2",
  "13 34 4 13 16 2 1 4 12 21 9 11 37 2 4",
);
const ten = partsOf("7 6 0 0 7 1 3 0 7 2", "7");
const tens = partsOf("7 6 5 0 7 1 3 0 7 2", "7");
const ratio = partsOf(
  "6047 12618 1461 5935 7573 610 199 1184 6431 12292 1877 4895 22452 532 1373",
  "6777 15038 1668 6958 9025 683 274 1436 7375 14968 2180 6081 25814 680 1641",
);
const ranks = partsOf("9 14 4 0 21 6 10 3 0 12", "7 6 1 0 7 4 5 3 0 6");

const vectors: Readonly<Record<string, Vector>> = {
  apiclus1: {
    parts: survey,
    effectivePrompts: 8,
    error: 0.0205642374,
    h: 8,
    n: 183,
    interval: [0.8050714424, 0.9213665884],
  },
  "apiclus1, four times": {
    parts: repeated(survey, 4),
    effectivePrompts: 34,
    h: 32,
    n: 728.4166335919,
    interval: [0.8471942755, 0.8972095043],
  },
  ten: {
    parts: ten,
    effectivePrompts: 10,
    error: 0.1413411627,
    h: 6,
    n: 10,
    interval: [0.1905071229, 0.7716933698],
  },
  "ten with another third, four times": {
    parts: repeated(tens, 4),
    effectivePrompts: 40,
    h: 23,
    n: 58.1341286055,
    interval: [0.4122719186, 0.6678067107],
  },
  ratio: {
    parts: ratio,
    effectivePrompts: 7,
    error: 0.0084706402,
    n: 1779.8005526722,
    interval: [0.8278109137, 0.8692615676],
  },
  "two prompts have all hits": {
    parts: [...partsOf("5 2", "7"), ...repeated(partsOf("0", "7"), 38)],
    h: 2,
    n: 40,
    interval: [0.0042339895, 0.1339175624],
  },
  "no hits": { parts: repeated(partsOf("0", "4"), 30), interval: [0, 0.1223698522] },
  "the same hits": {
    parts: repeated(partsOf("2", "4"), 6),
    n: 6,
    interval: [0.1380236334, 0.8619763666],
  },
  rank: {
    parts: ranks,
    kind: "rank",
    effectivePrompts: 7,
    error: 0.2665838087,
    interval: [1.5429806495, 2.9373425451],
  },
};

for (const [name, vector] of Object.entries(vectors)) {
  test(`interval of ${name}`, () => {
    const got = estimated(vector.parts, vector.kind ?? "rate");
    const parts = vector.parts.filter(({ b }) => b > 0);
    const variance = varianceOf([parts], [1]);
    if (vector.effectivePrompts !== undefined) {
      assert.equal(got.effectivePrompts, vector.effectivePrompts);
    }
    if (vector.error !== undefined) near(Math.sqrt(variance), vector.error);
    if (vector.h !== undefined) assert.equal(spreadOf(parts), vector.h);
    if (vector.n !== undefined) near(answersOf(parts, variance), vector.n);
    near(got.interval?.low, vector.interval[0]);
    near(got.interval?.high, vector.interval[1]);
  });
}

test("values without an interval", () => {
  const few = estimated(ranks.slice(0, 6), "rank");
  assert.equal(few.effectivePrompts, 4);
  assert.deepEqual(few.flags, ["insufficient", "exploratory"]);
  assert.equal(few.interval, null);
  const first = estimated(repeated(partsOf("4", "4"), 8), "rank");
  assert.deepEqual(first.flags, ["noVariation", "exploratory"]);
  assert.equal(first.interval, null);
  near(estimated(ranks, "rank").value, 2.0256410256);
  assert.equal(estimated([none], "rate").value, null);
});

test("Student's t", () => {
  near(critical(7), 2.3646242516);
  near(critical(7, 0.8), 0.896029644, 9);
  near(probabilityBeyond(2.262157163, 9), 0.05);
});

test("effective prompts are rounded by whole numbers", () => {
  assert.equal(effective([1, 1, 4, 6]), 3); // 144/54
  assert.equal(effective([2, 1, 1, 1, 1]), 5); // 36/8, a half
  assert.equal(effective([0, 0]), 0);
});

const twelve = {
  before: partsOf("9 14 4 0 21 6 10 3 8 12 5 9", "7 6 1 0 7 4 5 3 0 6 2 4"),
  after: partsOf("7 15 5 4 18 6 8 5 6 9 0 7", "7 6 2 2 7 5 5 4 2 6 0 4"),
};

test("changes", () => {
  const after = partsOf("7 7 1 0 7 3 5 0 7 4", "7 7 7 7 7 7 7 7 7 6");
  const first = changed(ten, after);
  near(first.parts?.likeForLike, 0.1227743271);
  near(errorOf(ten, after), 0.0460834257);
  near(probabilityBeyond(0.1227743271 / 0.0460834257, 9), 0.025868184, 8);
  assert.deepEqual([first.p, first.flags], [0.0625, ["fewDays"]]);
  near(first.interval?.low, 0);
  near(first.interval?.high, 0.2270222786);

  const rate = changed(
    partsOf("7 6 0 0 7 1 3 0 7 2 4 5", "7"),
    partsOf("7 7 1 0 7 3 5 2 7 4 6 5", "7 7 7 7 7 7 7 7 7 6 7 7"),
  );
  near(rate.parts?.likeForLike, 0.1506024096);
  assert.equal(rate.p, 0.015625);
  near(rate.interval?.low, 0.0575060682);
  near(rate.interval?.high, 0.2436987511);

  const rank = changed(twelve.before, twelve.after);
  assert.equal(rank.effectivePrompts, 8);
  near(rank.parts?.likeForLike, -0.3073811931);
  near(rank.p, 0.0092045522);
  near(rank.interval?.low, -0.5114807991);
  near(rank.interval?.high, -0.1032815872);
});

test("changes without a test, and without variation", () => {
  const three = changed(
    [...partsOf("24 30 18", "12"), ...repeated([none], 27)],
    [...partsOf("28 33 20", "12"), ...repeated([none], 27)],
  );
  assert.deepEqual([three.effectivePrompts, three.p, three.interval], [3, null, null]);
  assert.deepEqual(three.flags, []);
  assert.equal(changed(partsOf("24", "12"), partsOf("28", "12")).p, null);
  const all = changed(repeated(partsOf("0", "4"), 6), repeated(partsOf("4", "4"), 6));
  assert.deepEqual([all.p, all.interval], [0.03125, null]);
  const equal = changed(ten, ten);
  assert.deepEqual([equal.value, equal.p, equal.interval], [0, 1, null]);
});

test("a change without the mix of providers", () => {
  const before = [partsOf("5 6 2 0 7 3 1 4", "7"), partsOf("2 3 0 0 5 1 0 2", "7")] as const;
  const after = [partsOf("6 6 3 1 7 3 2 5", "7"), partsOf("1 2 0 0 2 1 0 1", "3")] as const;
  const sum = (lists: readonly (readonly Part[])[]) =>
    (lists[0] ?? []).map((_, j) => {
      const all = lists.map((list) => list[j] ?? none);
      return { a: (all[0]?.a ?? 0) + (all[1]?.a ?? 0), b: (all[0]?.b ?? 0) + (all[1]?.b ?? 0) };
    });
  const pairs = before.map((each, p): Both<Part> => {
    return [total(each), total(after[p] ?? [])];
  });
  const [first, second] = [sum(before), sum(after)];
  const got = changeOf({ prompts: both(first, second), pairs, days: [[], []] });
  near(estimated(first, "rate").value, 0.3660714286);
  near(got.parts?.mix, 0.056547619);
  near(got.parts?.likeForLike, 0.0773809524);
  near(errorOf(first, second), 0.0172736296);
  near(probabilityBeyond((got.parts?.likeForLike ?? 0) / errorOf(first, second), 7), 0.0028672588);
  assert.equal(got.p, 0.0078125);
  near(got.interval?.low, 0.0365353089);
  near(got.interval?.high, 0.1182265959);
});

test("parts of a change add up to it", () => {
  const before = partsOf("4 6 1 0", "10 10 10 0");
  const { value, parts } = changed(before, partsOf("5 7 0 9", "10 10 0 10"));
  near(value, 0.3333333333);
  near(parts?.likeForLike, 0.1);
  near(parts?.mix, 0);
  near(parts?.promptsAdded, 0.1);
  near(parts?.promptsRemoved, 0.1333333333);
});

test("the test by days", () => {
  const days = [
    partsOf("20 22 18 21 25 19 20", "50"),
    partsOf("24 26 23 27 25 28 22", "50"),
  ] as const;
  // Ten prompts that all change alike: only the sign bound and the days say how sure it is.
  const prompts = both(repeated(partsOf("14 15", "35"), 5), repeated(partsOf("17 18", "35"), 5));
  const pairs = [ofOnePair(prompts)];
  const got = changeOf({ prompts, pairs, days });
  near(got.parts?.likeForLike, 0.0857142857);
  near(got.p, 0.0113272339);
  assert.deepEqual(got.flags, []);
  const few = changeOf({ prompts, pairs, days: [days[0].slice(3), days[1]] });
  assert.deepEqual([few.p, few.flags], [2 ** -9, ["fewDays"]]);
});

test("Benjamini and Hochberg, with 1 where a change is below the threshold", () => {
  const wanted = [0.007, 0.014, 0.028, 0.0525, 1, 0.28, 1];
  for (const [place, got] of adjusted([0.001, 0.004, 0.012, 0.03, 1, 0.2, 1]).entries()) {
    near(got, wanted[place] ?? 0);
  }
  const long = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324];
  const ps = adjusted([...long, 0.4262, 0.5719, 0.6528, 0.759, 1]);
  const first = [0.0015, 0.003, 0.0095, 0.035625, 0.0603, 0.0638571, 0.0638571, 0.0645, 0.0765];
  for (const [place, each] of [...first, 0.486].entries()) near(ps[place], each, 7);
});

test("opportunity", () => {
  const own = { answers: 20, gaps: 12, prompts: 6 };
  const opportunity = opportunityAmong([own, { answers: 80, gaps: 18, prompts: 9 }], 2_000);
  near(opportunity(own).value, 0.0046363636);
});
