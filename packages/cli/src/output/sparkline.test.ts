import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { spanOf, sparkline, type Value } from "./series-table.ts";

test("from the shortest to the longest bar; null is a gap and 0 is none", () => {
  const values = [0, 0.125, null, 0.5, 1];
  assert.equal(sparkline(values, spanOf(values, 1), 10), "▁▂ ▅█");
});

test("with places, less is taller", () => {
  const values = [1, 2, 3];
  assert.deepEqual(spanOf(values, -1), { low: 3, high: 1 });
  assert.equal(sparkline(values, spanOf(values, -1), 10), "█▅▁");
});

test("nothing measured, and one value alone", () => {
  assert.equal(spanOf([null, null], 1), null);
  assert.equal(sparkline([null, null], null, 10), "  ");
  assert.equal(sparkline([0.3, 0.3], spanOf([0.3, 0.3], 1), 10), "▄▄");
});

test("neighbours share a bar where there is no room; a gap stays when all of it is one", () => {
  const values = [0, 1, null, null, 1, null];
  assert.equal(sparkline(values, { low: 0, high: 1 }, 3), "▅ █");
});

test("as many bars as values or columns, whichever is less", () => {
  const value = fc.option(fc.double({ min: 0, max: 9, noNaN: true }), { nil: null });
  fc.assert(
    fc.property(fc.array(value), fc.integer({ min: 1, max: 40 }), (values: Value[], width) => {
      const drawn = sparkline(values, spanOf(values, 1), width);
      assert.match(drawn, /^[▁▂▃▄▅▆▇█ ]*$/);
      assert.equal(drawn.length, Math.min(values.length, width));
      if (values.length > width) return;
      for (const [index, each] of values.entries()) {
        assert.equal(drawn[index] === " ", each === null);
      }
    }),
  );
});
