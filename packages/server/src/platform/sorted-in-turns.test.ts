import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sortedInTurns } from "./sorted-in-turns.ts";

test("sorting in turns is sorting", async () => {
  const item = fc.record({ text: fc.string({ maxLength: 2 }), id: fc.nat() });
  const compare = (a: { text: string }, b: { text: string }) =>
    a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 3_000, size: "max" }), async (items) => {
      assert.deepEqual(await sortedInTurns(items, compare), items.toSorted(compare));
    }),
    { numRuns: 30 },
  );
});
