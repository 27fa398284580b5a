import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { offsetsIn } from "./cited-pages.ts";

const texts = fc.string({ unit: "binary", maxLength: 30 });

test("an offset in bytes or code points leads to where the text goes on", () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const text = before + after;
      const bytes = Buffer.byteLength(before, "utf8");
      assert.equal(offsetsIn(text, "UTF-8 bytes")(bytes), before.length);
      assert.equal(offsetsIn(text, "code points")([...before].length), before.length);
      assert.equal(offsetsIn(text, "UTF-16 code units")(before.length), before.length);
    }),
    { numRuns: 2_000 },
  );
});

test("an offset within a character, or outside the text, means nothing", () => {
  const bytesOf = offsetsIn("a€😀", "UTF-8 bytes");
  const places = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((offset) => bytesOf(offset));
  assert.deepEqual(places, [0, 1, null, null, 2, null, null, null, 4]);
  const unitsOf = offsetsIn("a€😀b", "UTF-16 code units");
  assert.deepEqual(
    [2, 3, 4, 5].map((offset) => unitsOf(offset)),
    [2, null, 4, 5],
  );
  for (const text of ["abc", "a€😀"]) {
    for (const unit of ["UTF-8 bytes", "code points", "UTF-16 code units"] as const) {
      for (const offset of [-1, 0.5, 99, 1e308, Number.NaN]) {
        assert.equal(offsetsIn(text, unit)(offset), null);
      }
    }
  }
});
