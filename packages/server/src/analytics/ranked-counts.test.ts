import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { countNumbers, pageCandidates } from "./ranked-counts.ts";

/** Few and many citations, with ties in both. */
const arbitraryCounts = fc
  .array(fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1022, max: 1026 })))
  .map((counts) => ({ numbers: Int32Array.from(counts.keys()), counts: Int32Array.from(counts) }));

test("the candidates are what can be on the page, and those before them are skipped", () => {
  const page = { limit: fc.integer({ min: 1, max: 5 }), offset: fc.nat({ max: 12 }) };
  fc.assert(
    fc.property(arbitraryCounts, fc.record(page), (counts, { limit, offset }) => {
      const ordered = [...counts.counts].sort((one, other) => other - one);
      const { total, citations, candidates, skip, near } = pageCandidates(counts, {
        limit,
        offset,
      });
      assert.equal(total, ordered.length);
      assert.equal(
        citations,
        ordered.reduce((sum, count) => sum + count, 0),
      );
      const own = candidates.map((source) => source.citations).sort((one, other) => other - one);
      assert.deepEqual(own.slice(skip, skip + limit), ordered.slice(offset, offset + limit));
      const shown = new Set(ordered.slice(offset, offset + limit));
      const tied = ordered.filter((count) => shown.has(count) || isBetween(count, shown));
      assert.deepEqual(own, tied, "all that tie with one on the page, and no other");
      assert.ok(candidates.every((source) => counts.counts[source.number] === source.citations));
      const all = [...near, ...candidates.map(({ number }) => number)];
      assert.equal(new Set(all).size, all.length, "what is near is no candidate");
      const isNear = (number: number) => isWithin(counts.counts[number] ?? 0, shown);
      assert.deepEqual(new Set(all), new Set([...counts.numbers].filter(isNear)));
    }),
  );
});

function isBetween(count: number, shown: ReadonlySet<number>): boolean {
  return count < Math.max(...shown) && count > Math.min(...shown);
}

/** Whether a count misses those that are shown by a fifth at most. */
function isWithin(count: number, shown: ReadonlySet<number>): boolean {
  return count >= Math.min(...shown) * 0.8 && count <= Math.max(...shown) * 1.2;
}

test("numbers are counted", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 9 })), (all) => {
      const { numbers, counts } = countNumbers(Int32Array.from(all));
      const counted = new Map([...numbers].map((number, index) => [number, counts[index]]));
      assert.equal(counted.size, numbers.length, "each number once");
      assert.deepEqual([...counted.keys()].sort(), [...new Set(all)].sort());
      for (const [number, count] of counted) {
        assert.equal(count, all.filter((item) => item === number).length);
      }
    }),
  );
});
