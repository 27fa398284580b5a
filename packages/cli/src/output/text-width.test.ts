import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { safeText } from "./safe-text.ts";
import { fitted, padded, textWidth } from "./text-width.ts";

const known: readonly (readonly [text: string, width: number])[] = [
  ["", 0],
  ["Tarnfell", 8],
  ["Höhenbrandt", 11],
  ["Ho\u0308henbrandt", 11],
  ["日本", 4],
  ["한국", 4],
  ["\u1112\u1161\u11ab", 2],
  ["ﾊﾝｶｸ", 4],
  ["ＡＢ", 4],
  ["ไทย", 3],
  ["ที่", 1],
  ["क्षि", 3],
  ["👩‍👩‍👧", 2],
  ["🇩🇪", 2],
  ["👍🏽", 2],
  ["❤️", 2],
  ["1️⃣", 2],
  ["©1#", 3],
  ["⌚", 2],
  ["–…▁⣿│", 5],
  ["می‌خواهم", 7],
  ["𠀀", 2],
];

for (const [text, width] of known) {
  test(`${JSON.stringify(text)} takes ${width}`, () => assert.equal(textWidth(text), width));
}

test("a text that is too long is cut between what people see as characters", () => {
  assert.equal(fitted("Stonewhit & Pike", 20), "Stonewhit & Pike");
  assert.equal(fitted("Stonewhit & Pike", 10), "Stonewhit…");
  assert.equal(fitted("日本のテント", 6), "日本…");
  assert.equal(fitted("a👩‍👩‍👧b", 3), "a…");
  assert.equal(fitted("abc", 0), "");
  assert.equal(padded("日本", 6), "日本  ");
  assert.equal(padded("日本", 6, "right"), "  日本");
});

test("any text fits any width, and padding reaches it", () => {
  const text = fc.string({ unit: "binary" }).map(safeText);
  fc.assert(
    fc.property(text, fc.nat(30), (each, width) => {
      assert.ok(textWidth(fitted(each, width)) <= width);
      assert.equal(textWidth(padded(fitted(each, width), width)), width);
    }),
  );
});
