import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { axisOf } from "./series-plot.ts";

test("round steps", () => {
  assert.deepEqual(axisOf(0, 0.575).ticks, [0, 0.2, 0.4, 0.6000000000000001]);
  assert.deepEqual(axisOf(0, 1).ticks, [0, 0.25, 0.5, 0.75, 1]);
  assert.deepEqual(axisOf(1, 3.8).ticks, [1, 2, 3, 4]);
  assert.equal(axisOf(0, 0).most, 1);
});

test("at most five labels, from the least value to one that holds the greatest", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(0, 1),
      fc.double({ min: 0, max: 1e6, noNaN: true }),
      (least, more) => {
        const { ticks, most } = axisOf(least, least + more);
        assert.equal(ticks[0], least);
        assert.ok(ticks.length >= 2 && ticks.length <= 5, `${ticks}`);
        assert.ok(most >= (least + more) * (1 - 1e-9), `${most} ${more}`);
      },
    ),
  );
});
