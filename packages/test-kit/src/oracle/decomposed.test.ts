import assert from "node:assert/strict";
import { test } from "node:test";
import {
  contributionsOf,
  leastChangeOf,
  promptsFor,
  sourceContributionsOf,
  spreadOfWindows,
  trendOf,
} from "./decomposed.ts";
import type { Both, Part } from "./estimates.ts";

/** The vectors of design/insights for contributions, trend and planner. */

const near = (got: number | null | undefined, wanted: number) =>
  assert.ok(
    typeof got === "number" && Math.abs(got - wanted) <= 0.50001e-10,
    `${got} is not ${wanted}`,
  );

const nears = (got: readonly number[], wanted: readonly number[]) => {
  assert.equal(got.length, wanted.length);
  for (const [place, each] of wanted.entries()) near(got[place], each);
};

const of = (hits: readonly number[], all: readonly number[]): readonly Part[] =>
  hits.map((a, j) => ({ a, b: all[j] ?? all[0] ?? 0 }));

const both = (before: readonly Part[], after: readonly Part[]): readonly Both<Part>[] =>
  before.map((each, j) => [each, after[j] ?? { a: 0, b: 0 }]);

const tens = both(
  of([7, 6, 0, 0, 7, 1, 3, 0, 7, 2], [7]),
  of([7, 7, 1, 0, 7, 3, 5, 0, 7, 4], [7, 7, 7, 7, 7, 7, 7, 7, 7, 6]),
);

test("contributions of prompts and topics", () => {
  const ofPrompts = contributionsOf(tens);
  nears(
    ofPrompts.map(({ value }) => value),
    [
      ...[0.0006770786, 0.0149627929, 0.0137205569, -0.0007721967, 0.0006770786],
      ...[0.0284203499, 0.0288344285, -0.0007721967, 0.0006770786, 0.0363493564],
    ],
  );
  near(
    ofPrompts.reduce((sum, { within, mix }) => sum + within + mix, 0),
    0.1227743271,
  );
  const topics = both(of([5, 2, 0], [10, 10, 0]), of([6, 3, 8], [10, 10, 10]));
  const ofTopics = contributionsOf(topics);
  nears(
    ofTopics.map(({ value }) => value),
    [0.0263888889, 0.0763888889, 0.1138888889],
  );
  assert.equal(ofTopics[2]?.within, 0);
});

test("contributions of sources", () => {
  const hits = (...lists: readonly (readonly string[])[]) =>
    lists.map((domains) => ({ hit: true, domains }));
  const misses = (count: number) =>
    Array.from({ length: count }, () => ({ hit: false, domains: ["x"] }));
  const got = sourceContributionsOf([
    [...hits(["x"], ["x", "y"], []), ...misses(1)],
    [...hits(["x"], ["y"], ["x", "y"], []), ...misses(1)],
  ]);
  near(got.get("x"), -0.075);
  near(got.get("y"), 0.175);
  near(got.get("none"), -0.05);
});

test("a trend of five windows", () => {
  const rows = [
    ...[
      [1, 2, 2, 3, 4],
      [0, 0, 1, 1, 1],
      [5, 6, 6, 7, 7],
      [2, 1, 3, 3, 4],
      [0, 1, 0, 2, 1],
    ],
    ...[
      [3, 3, 4, 4, 6],
      [7, 6, 7, 7, 7],
    ],
  ];
  const got = trendOf(
    [0, 1, 2, 3, 4].map((week) => rows.map((row) => ({ a: row[week] ?? 0, b: 7 }))),
  );
  near(got.slope, 0.0653061224);
  near(got.error, 0.0124138011);
  near(got.byPrompts, 0.0019000027);
  near(got.byWindows, 0.001857831);
  assert.deepEqual([got.differing, got.p], [7, 0.015625]);
});

test("plans", () => {
  const own = spreadOfWindows(tens);
  near(own.within, 0.0856342537);
  near(own.correlation, 0.6560209115);
  assert.equal(own.drift, 0);
  assert.deepEqual(
    [promptsFor(own, 7, 0.05), promptsFor(own, 7, 0.1), promptsFor(own, 1, 0.1)],
    [177, 68, 183],
  );
  assert.equal(promptsFor(own, 28, 0.1), 54);
  const other = { rate: 0.3, within: 0.021, correlation: 0.9, drift: 0 };
  assert.deepEqual(
    [0.05, 0.1, 0.15].map((change) => promptsFor(other, 7, change)),
    [156, 71, 45],
  );
  nears(
    [1, 7, 28].map((answers) => leastChangeOf(other, answers, 48)),
    // Of the equation itself: R's uniroot, at its tolerance, stops up to 1.3e-5 from it.
    [0.1696600439, 0.1394228941, 0.1347067526],
  );
  const ones = spreadOfWindows(both(of([1, 0, 1], [1]), of([0, 0, 1], [1])));
  assert.deepEqual([ones.correlation, ones.drift], [0.9, 0]);
});
