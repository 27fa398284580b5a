import assert from "node:assert/strict";
import { test } from "node:test";
import { isRegion, nearestRegion } from "./answer-schema.ts";

/** Every pair of letters, in upper case. */
const pairs = Array.from({ length: 26 * 26 }, (_, index) =>
  String.fromCharCode(65 + Math.floor(index / 26), 65 + (index % 26)),
);

test("the 249 assigned codes are regions, in either case, and nothing else is", () => {
  assert.equal(pairs.filter(isRegion).length, 249);
  assert.equal(pairs.filter((code) => isRegion(code.toLowerCase())).length, 249);
  for (const code of ["UK", "EU", "XK", "AA", "ZZ", "", "U", "USA", "ß", "ﬁ", "\u017fE"]) {
    assert.ok(!isRegion(code), code);
  }
});

test("every assigned code has a name, by the machine's own table", () => {
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  for (const code of pairs.filter(isRegion)) assert.notEqual(names.of(code), undefined, code);
});

test("what is often written instead of a code leads to it", () => {
  const cases = { UK: "GB", uk: "GB", EL: "GR", USA: "US", ZZ: null, constructor: null, "": null };
  for (const [text, code] of Object.entries(cases)) assert.equal(nearestRegion(text), code, text);
});
