import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { contributionsOf, sharedHits } from "./contributions.ts";
import type { Cluster } from "./moments.ts";
import { close, numbers, ten, tenAfter } from "./vectors.ts";

const byPlace = (clusters: readonly Cluster[]) => new Map(clusters.entries());
const valuesOf = (before: ReadonlyMap<unknown, Cluster>, after: ReadonlyMap<unknown, Cluster>) =>
  contributionsOf(before, after)?.map(({ value }) => value);

test("contributions of prompts and of topics", () => {
  const wanted = numbers(
    ".0006770786 .0149627929 .0137205569 -.0007721967 .0006770786 .0284203499 .0288344285 " +
      "-.0007721967 .0006770786 .0363493564",
  );
  const found = valuesOf(byPlace(ten), byPlace(tenAfter));
  for (const [place, value] of wanted.entries()) close(found?.[place], value);
  const topics = (entries: readonly (readonly [string, number])[]) =>
    new Map(entries.map(([name, numerator]) => [name, { numerator, denominator: 10 }]));
  const ofTopics = valuesOf(
    topics([
      ["a", 5],
      ["b", 2],
    ]),
    topics([
      ["a", 6],
      ["b", 3],
      ["c", 8],
    ]),
  );
  for (const [place, value] of [0.0263888889, 0.0763888889, 0.1138888889].entries()) {
    close(ofTopics?.[place], value);
  }
});

test("what two providers contribute of themselves", () => {
  const of = (...pairs: readonly (readonly [number, number])[]) =>
    new Map(pairs.map(([numerator, denominator], place) => [place, { numerator, denominator }]));
  const found = contributionsOf(of([28, 56], [13, 56]), of([33, 56], [7, 24]));
  close(found?.[0]?.within, 0.0535714286);
  close(found?.[1]?.within, 0.0238095238);
});

test("each hit gives an equal part to each domain that it cites", () => {
  const before = sharedHits([
    { key: "x", domains: 1, hits: 1 },
    { key: "x", domains: 2, hits: 1 },
    { key: "y", domains: 2, hits: 1 },
    { key: "none", domains: 1, hits: 1 },
  ]);
  const after = sharedHits([
    { key: "x", domains: 1, hits: 1 },
    { key: "y", domains: 1, hits: 1 },
    { key: "x", domains: 2, hits: 1 },
    { key: "y", domains: 2, hits: 1 },
    { key: "none", domains: 1, hits: 1 },
  ]);
  const change = (key: string) => (after.get(key) ?? 0) / 5 - (before.get(key) ?? 0) / 4;
  close(change("x"), -0.075);
  close(change("y"), 0.175);
  close(change("none"), -0.05);
});

test("contributions add up to the change, and turn their signs with the sides", () => {
  const part = fc
    .tuple(fc.nat(20), fc.nat(20))
    .map(([hits, denominator]) => ({ numerator: Math.min(hits, denominator), denominator }));
  const parts = fc.array(fc.tuple(fc.nat(12), part)).map((entries) => new Map(entries));
  fc.assert(
    fc.property(parts, parts, (before, after) => {
      const found = contributionsOf(before, after);
      const ratio = (side: ReadonlyMap<number, Cluster>) => {
        const all = [...side.values()];
        const sum = (of: keyof Cluster) => all.reduce((total, each) => total + each[of], 0);
        return sum("numerator") / sum("denominator");
      };
      const change = ratio(after) - ratio(before);
      assert.equal(found === null, Number.isNaN(change));
      if (found === null) return;
      close(
        found.reduce((sum, { value }) => sum + value, 0),
        change,
        12,
      );
      const swapped = new Map(
        contributionsOf(after, before)?.map(({ key, value }) => [key, value]),
      );
      for (const { key, value, within, mix } of found) {
        close(swapped.get(key), -value, 12);
        close(within + mix, value, 12);
      }
    }),
  );
});
