import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fromStored, toStored } from "./postgres.ts";

test("every text is read as it was, and stored without U+0000", () => {
  const character = fc.constantFrom("\u{0}", "\u{e000}", "0", "1", "a");
  fc.assert(
    fc.property(fc.string({ unit: character }), (text) => {
      assert.equal(fromStored(toStored(text)), text);
      assert.ok(!toStored(text).includes("\u{0}"));
    }),
  );
  assert.equal(toStored("What is 0 1?"), "What is 0 1?");
});
