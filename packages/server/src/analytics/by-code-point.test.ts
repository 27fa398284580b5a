import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { byCodePoint } from "./by-code-point.ts";

test("texts are ordered as their UTF-8 bytes are", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "\u{1f600}", "\uff5e", "\ue000") });
  fc.assert(
    fc.property(text, text, (one, other) => {
      const expected = Buffer.compare(Buffer.from(one), Buffer.from(other));
      assert.equal(Math.sign(byCodePoint(one, other)), expected);
    }),
  );
});
