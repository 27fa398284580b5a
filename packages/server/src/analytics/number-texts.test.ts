import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { NumberTexts } from "./number-texts.ts";

test("a number's text is the one that JSON has, the first time and every other", () => {
  const texts = new NumberTexts();
  const rate = fc
    .tuple(fc.nat({ max: 5_000 }), fc.integer({ min: 1, max: 5_000 }))
    .map(([count, of]) => count / of);
  const number = fc.oneof(rate, fc.double({ noNaN: true, noDefaultInfinity: true }));
  const property = fc.property(fc.array(number, { minLength: 200, maxLength: 500 }), (numbers) => {
    for (const each of [...numbers, ...numbers]) {
      assert.equal(texts.of(each), JSON.stringify(each));
    }
  });
  fc.assert(property, { numRuns: 200, seed: 20_260_101, endOnFailure: true });
});
