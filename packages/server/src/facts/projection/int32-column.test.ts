import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Int32Column } from "./int32-column.ts";

test("gives the numbers pushed since it was cleared, however many", () => {
  const column = new Int32Column();
  const length = fc.oneof(fc.nat(10), fc.constantFrom(4_095, 4_096, 4_097, 262_145));
  fc.assert(
    fc.property(fc.integer({ min: -(2 ** 31), max: 2 ** 30 }), length, (first, count) => {
      const numbers = Int32Array.from({ length: count }, (_, place) => first + place);
      for (const number of numbers) column.push(number);
      const copy = column.copy();
      column.clear();
      column.push(-1);
      assert.deepEqual(copy, numbers);
      assert.deepEqual(column.copy(), Int32Array.of(-1));
      column.clear();
    }),
    { numRuns: 30 },
  );
});
