import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { adjustedP } from "./changes.ts";
import {
  criticalT,
  estimate,
  estimateChange,
  standardError,
  twoSidedP,
  wilson,
} from "./clusters.ts";
import type { Cluster } from "./moments.ts";

const close = (got: number | undefined | null, wanted: number, digits = 8) =>
  assert.ok(
    typeof got === "number" && Math.abs(got - wanted) <= 0.6 * 10 ** -digits,
    `${got} is not ${wanted} to ${digits} digits`,
  );

const numbers = (text: string) => text.split(" ").map(Number);

function clustersOf(numerators: string, denominators: string): readonly Cluster[] {
  const below = numbers(denominators);
  return numbers(numerators).map((numerator, j) => ({ numerator, denominator: below[j] ?? 0 }));
}

const apiclus1 = clustersOf(
  "11 31 3 10 15 2 1 4 12 18 7 11 32 1 2",
  "13 34 4 13 16 2 1 4 12 21 9 11 37 2 4",
);
const ten = clustersOf("7 6 0 0 7 1 3 0 7 2", "7 7 7 7 7 7 7 7 7 7");

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
  const { value, interval, effectiveAnswers, prompts, flags } = estimate(apiclus1, "rate");
  close(value, 0.8743169399, 10);
  close(standardError(apiclus1), 0.0205642375, 10);
  close(criticalT(0.05, 14), 2.144786688, 9);
  assert.equal(effectiveAnswers, 183);
  assert.equal(prompts, 15);
  close(interval?.low, 0.8124244152, 10);
  close(interval?.high, 0.9178523423, 10);
  assert.deepEqual(flags, ["exploratory"]);
});

test("answers that resemble each other within their prompts count as fewer", () => {
  const { value, interval, effectiveAnswers } = estimate(ten, "rate");
  close(value, 0.4714285714, 10);
  close(standardError(ten), 0.1413411627, 10);
  close(effectiveAnswers, 12.47332577);
  close(criticalT(0.05, 9), 2.262157163, 9);
  close(interval?.low, 0.2103710707, 10);
  close(interval?.high, 0.7491096634, 10);
});

test("a change is paired by prompt", () => {
  const after = clustersOf("7 7 1 0 7 3 5 0 7 4", "7 7 7 7 7 7 7 7 7 6");
  const change = estimateChange(ten, after);
  close(change?.value, 0.122774327, 9);
  close(change?.interval.low, 0.0185263756, 10);
  close(change?.interval.high, 0.227022279, 9);
  close(change?.p, 0.025868184, 9);
  close(twoSidedP(2.66417536, 9), 0.025868184);
});

test("a share, and a mean rank", () => {
  const share = clustersOf(
    "6047 12618 1461 5935 7573 610 199 1184 6431 12292 1877 4895 22452 532 1373",
    "6777 15038 1668 6958 9025 683 274 1436 7375 14968 2180 6081 25814 680 1641",
  );
  const shared = estimate(share, "share");
  close(shared.value, 0.849708742, 9);
  close(standardError(share), 0.00847064019, 11);
  // R gives a symmetric interval; ours is symmetric on the logit scale.
  const margin = criticalT(0.05, 14) * standardError(share);
  close(0.849708742 - margin, 0.831541025);
  close(0.849708742 + margin, 0.867876458);
  const logit = (x: number | undefined) => Math.log((x ?? 0) / (1 - (x ?? 0)));
  const centre = (logit(shared.interval?.low) + logit(shared.interval?.high)) / 2;
  close(centre, logit(0.849708742), 7);
  const ranks = clustersOf("9 14 4 0 21 6", "7 6 1 0 7 4");
  const { value, interval, prompts } = estimate(ranks, "rank");
  close(value, 2.16, 9);
  assert.equal(prompts, 6);
  close(standardError(ranks), 0.400317314, 9);
  close(interval?.low, 1.13095158);
  close(interval?.high, 3.18904842);
});

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

test("no answers have no value, few prompts no interval, equal prompts no variation", () => {
  assert.equal(estimate([], "rate").value, null);
  assert.equal(estimate([{ numerator: 0, denominator: 0 }], "rank").value, null);
  const four = estimate(ten.slice(0, 4), "rate");
  assert.deepEqual([four.interval, four.flags], [null, ["insufficient", "exploratory"]]);
  const all = estimate(clustersOf("3 3 3 3 3 3", "3 3 3 3 3 3"), "rate");
  assert.equal(all.interval?.high, 1);
  assert.equal(all.effectiveAnswers, 6);
  assert.deepEqual(all.flags, ["noVariation", "exploratory"]);
  const fifty = Array.from({ length: 50 }, (_, j) => ({ numerator: j % 2, denominator: 1 }));
  assert.deepEqual(estimate(fifty, "rate").flags, []);
  assert.deepEqual(estimate(fifty.slice(1), "rate").flags, ["exploratory"]);
  const equal = fifty.map(({ denominator }) => ({ numerator: 1, denominator }));
  assert.deepEqual(estimate(equal, "rate").flags, ["noVariation"]);
  const none = estimate(clustersOf("0 0 0 0 0", "3 1 3 3 3"), "share");
  assert.equal(none.interval?.low, 0);
  assert.ok((none.interval?.high ?? 0) > 0.3);
});

test("prompts of which none adds anything are no independent answers", () => {
  const nothing = Array.from({ length: 19 }, () => ({ numerator: 0, denominator: 0 }));
  const one = estimate([{ numerator: 1, denominator: 1 }, ...nothing], "share");
  assert.equal(one.effectiveAnswers, 1);
  assert.ok((one.interval?.low ?? 1) < 0.2, "one mention says little of a share");
  const second = estimate([{ numerator: 2, denominator: 1 }, ...nothing], "rank");
  assert.equal(second.effectiveAnswers, 1);
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
    }),
  );
});

test("answers doubled within their prompts tell nothing new", () => {
  fc.assert(
    fc.property(clusterLists, (clusters) => {
      const doubled = clusters.map(({ numerator, denominator }) => {
        return { numerator: 2 * numerator, denominator: 2 * denominator };
      });
      close(standardError(doubled), standardError(clusters), 12);
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
      close(mirrored?.low, 1 - (interval?.high ?? 0), 9);
      close(mirrored?.high, 1 - (interval?.low ?? 0), 9);
    }),
  );
});

test("the order of prompts changes no bit, and equal prompts do not vary", () => {
  const equal = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 5, maxLength: 60 });
  fc.assert(
    fc.property(clusterLists, equal, (clusters, sizes) => {
      for (const scale of ["rate", "share", "rank"] as const) {
        assert.deepEqual(estimate(clusters.toReversed(), scale), estimate(clusters, scale));
      }
      const thirds = sizes.map((size) => ({ numerator: size, denominator: 3 * size }));
      const { flags, effectiveAnswers } = estimate(thirds, "rate");
      assert.ok(flags.includes("noVariation"));
      assert.equal(effectiveAnswers, sizes.length);
    }),
  );
});

test("a window against itself did not change", () => {
  fc.assert(
    fc.property(clusterLists, (clusters) => {
      assert.deepEqual(estimateChange(clusters, clusters), {
        value: 0,
        interval: { low: 0, high: 0 },
        p: 1,
      });
    }),
  );
});
