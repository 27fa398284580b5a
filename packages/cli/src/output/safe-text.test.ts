import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { safeJson, safeText } from "./safe-text.ts";

const anyText = fc.string({ unit: "binary" });
const acting = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

test("what acts on a terminal is written as its number", () => {
  assert.equal(safeText("a\u001b[31mb"), "a\\u{1b}[31mb");
  assert.equal(safeText("a\r\nb\tc\u0000"), "a\\u{d}\\u{a}b\\u{9}c\\u{0}");
  assert.equal(safeText("\u009b2J"), "\\u{9b}2J");
  assert.equal(safeText("moc\u202eexe"), "moc\\u{202e}exe");
  assert.equal(safeText("a\u2066b\u200bc\ufeff"), "a\\u{2066}b\\u{200b}c\\u{feff}");
  assert.equal(safeText("\ud800a\u{e0041}"), "\\u{d800}a\\u{e0041}");
});

test("what is safe stays as it is", () => {
  for (const text of [
    "Éterne & C++",
    "日本のテント",
    "می‌خواهم",
    "👩‍👩‍👧 🇩🇪",
    "e\u0301",
    "100 % <b>",
  ]) {
    assert.equal(safeText(text), text);
  }
});

test("no text is left that acts", () => {
  fc.assert(fc.property(anyText, (text) => assert.doesNotMatch(safeText(text), acting)));
});

test("JSON is equal, and safe as well", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), anyText, (value, text) => {
      const document = { value, [text]: text };
      const json = safeJson(document);
      assert.doesNotMatch(json, acting);
      assert.deepEqual(JSON.parse(json), JSON.parse(JSON.stringify(document)));
    }),
  );
});
