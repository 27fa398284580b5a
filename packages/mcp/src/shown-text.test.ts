import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { shownText } from "./shown-text.ts";

test("one line, without what is not seen, and never longer than allowed", () => {
  for (const [given, shown] of [
    ["Acme", "Acme"],
    ["  Acme\r\n\tLabs ", "Acme Labs"],
    ["a\u0000b\u001b[31m\u009bd", "a b [31m d"],
    ["a\u2028b\u2029c", "a b c"],
    ["\u202eevil\u202c\u200b", "evil"],
    ["tag\u{e0041}\u{e0042}ged", "tagged"],
    ["half \ud83d", "half \ufffd"],
    ["Éterne 東京", "Éterne 東京"],
    ["a \u{16da0} b", "a b"], // between two spaces, no character
    ["12345678901", "1234567890…"],
    ["123456789😀", "123456789…"],
  ] as const) {
    assert.equal(shownText(given, 10), shown);
  }
});

test("any text: well-formed, short, without control characters, and the same a second time", () => {
  const anyText = fc.string({ unit: "binary", maxLength: 200 });
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 50 }), (given, most) => {
      const shown = shownText(given, most);
      assert.ok(shown.length <= most + 1);
      assert.ok(shown.isWellFormed());
      assert.doesNotMatch(shown, /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/u);
      assert.equal(shownText(shown, most + 1), shown.trim());
    }),
  );
});
