import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { estimate, opportunityOf, type Scale, wilson } from "./estimates.ts";
import { type Cluster, clusterMoments, effectiveHits, varianceOf } from "./moments.ts";
import { criticalT, twoSidedP } from "./student.ts";
import { close, clustersOf, ten } from "./vectors.ts";

const apiclus1 = clustersOf(
  "11 31 3 10 15 2 1 4 12 18 7 11 32 1 2",
  "13 34 4 13 16 2 1 4 12 21 9 11 37 2 4",
);
const repeated = (clusters: readonly Cluster[], times: number) =>
  Array.from({ length: times }, () => clusters).flat();
const standardError = (clusters: readonly Cluster[]) =>
  Math.sqrt(varianceOf(clusterMoments(clusters)));

function assertEstimate(
  clusters: readonly Cluster[],
  scale: Scale,
  [effectivePrompts, low, high]: readonly [number, number, number],
) {
  const found = estimate(clusters, scale);
  assert.equal(found.effectivePrompts, effectivePrompts);
  close(found.interval?.low, low);
  close(found.interval?.high, high);
}

test("Wilson's interval, of Newcombe's examples", () => {
  const cases = [
    [81, 263, 0.2552885, 0.3662096],
    [15, 148, 0.0623864, 0.1604872],
    [0, 20, 0, 0.1611252],
    [1, 29, 0.0061132, 0.1717552],
    [10, 10, 0.7224672, 1],
    [50, 100, 0.4038315, 0.5961685],
  ] as const;
  for (const [hits, answers, low, high] of cases) {
    const interval = wilson(hits / answers, answers, 1.959964);
    close(interval.low, low, 7);
    close(interval.high, high, 7);
  }
});

test("a rate of schools by district, as R's survey package has it", () => {
  close(standardError(apiclus1), 0.0205642374);
  close(criticalT(0.05, 7), 2.3646242516);
  assert.equal(effectiveHits(clusterMoments(apiclus1)), 8);
  assertEstimate(apiclus1, "rate", [8, 0.8050714424, 0.9213665884]);
  assertEstimate(repeated(apiclus1, 4), "rate", [34, 0.8471942755, 0.8972095043]);
  assert.deepEqual(estimate(apiclus1, "rate").flags, ["exploratory"]);
});

test("answers that resemble each other within their prompts count as fewer", () => {
  close(standardError(ten), 0.1413411627);
  assert.equal(effectiveHits(clusterMoments(ten)), 6);
  assertEstimate(ten, "rate", [10, 0.1905071229, 0.7716933698]);
  const third = ten.map((cluster, place) => (place === 2 ? { ...cluster, numerator: 5 } : cluster));
  assertEstimate(repeated(third, 4), "rate", [40, 0.4122719186, 0.6678067107]);
});

test("a share of unequal prompts", () => {
  const ratio = clustersOf(
    "6047 12618 1461 5935 7573 610 199 1184 6431 12292 1877 4895 22452 532 1373",
    "6777 15038 1668 6958 9025 683 274 1436 7375 14968 2180 6081 25814 680 1641",
  );
  close(standardError(ratio), 0.0084706402);
  assertEstimate(ratio, "rate", [7, 0.8278109137, 0.8692615676]);
});

test("hits of one prompt, of none, and of all alike", () => {
  const none = clustersOf("0 ".repeat(38).trim(), "7");
  assertEstimate([...clustersOf("5 2", "7"), ...none], "rate", [40, 0.0042339895, 0.1339175624]);
  assertEstimate(none.slice(0, 30), "rate", [30, 0, 0.1223698522]);
  assertEstimate(clustersOf("2 2 2 2 2 2", "4"), "rate", [6, 0.1380236334, 0.8619763666]);
});

test("a mean rank counts the prompts alone that mention the entity", () => {
  const ranks = clustersOf("9 14 4 0 21 6 10 3 0 12", "7 6 1 0 7 4 5 3 0 6");
  close(estimate(ranks, "rank").value, 2.0256410256);
  close(standardError(ranks), 0.2665838087);
  assertEstimate(ranks, "rank", [7, 1.5429806495, 2.9373425451]);
  const few = estimate(ranks.slice(0, 6), "rank");
  assert.deepEqual([few.effectivePrompts, few.interval], [4, null]);
  assert.deepEqual(few.flags, ["insufficient", "exploratory"]);
  const first = estimate(clustersOf("3 3 3 3 3 3", "3"), "rank");
  assert.deepEqual([first.value, first.interval], [1, null]);
  assert.deepEqual(first.flags, ["noVariation", "exploratory"]);
});

test("no answers have no value; fifty prompts are enough", () => {
  assert.equal(estimate([], "rate").value, null);
  assert.equal(estimate([{ numerator: 0, denominator: 0 }], "rank").value, null);
  const fifty = Array.from({ length: 50 }, (_, j) => ({ numerator: j % 2, denominator: 1 }));
  assert.deepEqual(estimate(fifty, "rate").flags, []);
  assert.deepEqual(estimate(fifty.slice(1), "rate").flags, ["exploratory"]);
  const equal = fifty.map(({ denominator }) => ({ numerator: 1, denominator }));
  assert.deepEqual(estimate(equal, "rate").flags, ["noVariation"]);
});

test("Student's t has the tails of R's", () => {
  close(twoSidedP(2.66417536, 9), 0.025868184, 8);
  close(criticalT(0.05, 14), 2.144786688, 9);
});

const clusterLists = fc.array(
  fc
    .tuple(fc.nat(20), fc.integer({ min: 1, max: 20 }))
    .map(([hits, answers]) => ({ numerator: Math.min(hits, answers), denominator: answers })),
  { minLength: 5, maxLength: 60 },
);

test("prompts asked once vary as independent answers do", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 5, maxLength: 200 }), (hits) => {
      const clusters = hits.map((hit) => ({ numerator: Number(hit), denominator: 1 }));
      const p = hits.filter(Boolean).length / hits.length;
      close(standardError(clusters) ** 2, (p * (1 - p)) / (hits.length - 1), 12);
      assert.equal(estimate(clusters, "rate").effectivePrompts, hits.length);
    }),
  );
});

test("answers doubled within their prompts tell nothing new", () => {
  fc.assert(
    fc.property(clusterLists, (clusters) => {
      const doubled = clusters.map(({ numerator, denominator }) => {
        return { numerator: 2 * numerator, denominator: 2 * denominator };
      });
      const [one, two] = [clusterMoments(clusters), clusterMoments(doubled)];
      close(varianceOf(two), varianceOf(one), 12);
      assert.equal(effectiveHits(two), effectiveHits(one));
      assert.equal(
        estimate(doubled, "rate").effectivePrompts,
        estimate(clusters, "rate").effectivePrompts,
      );
    }),
  );
});

test("hits and misses swapped mirror the interval", () => {
  fc.assert(
    fc.property(clusterLists, (clusters) => {
      const swapped = clusters.map(({ numerator, denominator }) => {
        return { numerator: denominator - numerator, denominator };
      });
      const { interval } = estimate(clusters, "rate");
      const mirrored = estimate(swapped, "rate").interval;
      assert.equal(interval === null, mirrored === null);
      close(mirrored?.low ?? 0, mirrored === null ? 0 : 1 - (interval?.high ?? 0), 9);
      close(mirrored?.high ?? 0, mirrored === null ? 0 : 1 - (interval?.low ?? 0), 9);
    }),
  );
});

test("neither order nor prompts without a denominator change a bit", () => {
  const equal = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 8, maxLength: 60 });
  fc.assert(
    fc.property(clusterLists, equal, (clusters, sizes) => {
      const others = [...clusters.toReversed(), { numerator: 0, denominator: 0 }];
      for (const scale of ["rate", "rank"] as const) {
        assert.deepEqual(estimate(others, scale), estimate(clusters, scale));
      }
      const thirds = sizes.map((size) => ({ numerator: size, denominator: 3 * size }));
      const { flags, effectivePrompts } = estimate(thirds, "rate");
      assert.ok(effectivePrompts < 6 || flags.includes("noVariation"));
    }),
  );
});

test("the opportunity of a source, its gap shrunken towards that of all", () => {
  const all = { answers: 2_000, citing: 1_000, gaps: 300 };
  // 400 / 68 and 400 / 66 effective prompts are rounded to six.
  for (const [answers, promptSquares, withCompetitorOnly] of [
    [20, 68, 12],
    [20, 66, 12],
  ] as const) {
    const found = opportunityOf({ answers, promptSquares, withCompetitorOnly }, all);
    close(found, 0.0046363636);
    close((found * all.answers) / answers, 0.4636363636);
  }
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 40 }), { minLength: 1 }), fc.nat(), (citing, gaps) => {
      const counts = citing.map((each) => each + 1);
      const answers = counts.reduce((sum, each) => sum + each, 0);
      const promptSquares = counts.reduce((sum, each) => sum + each * each, 0);
      const withCompetitorOnly = gaps % (answers + 1);
      const own = { answers, promptSquares, withCompetitorOnly };
      // A source that alone is cited has its own gap, however few prompts cite it.
      const alone = { answers, citing: answers, gaps: withCompetitorOnly };
      close(opportunityOf(own, alone), withCompetitorOnly / answers);
      // Nothing is to be won where no source has a gap.
      const without = { ...own, withCompetitorOnly: 0 };
      assert.equal(opportunityOf(without, { ...alone, gaps: 0 }), 0);
    }),
  );
});
