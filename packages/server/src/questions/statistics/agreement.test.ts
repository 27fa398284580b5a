import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { krippendorffAlpha } from "./agreement.ts";

/** Units of a table with a row for each observer; a point: no value. */
function unitsOf(...rows: readonly string[]): readonly (readonly string[])[] {
  const [first = ""] = rows;
  return [...first].map((_, unit) =>
    rows.flatMap((row) => (row[unit] === "." ? [] : [row[unit] ?? ""])),
  );
}

const rounded = (alpha: number | null) => (alpha === null ? null : Math.round(alpha * 1e3) / 1e3);

test("the examples of Krippendorff (2011) have his values", () => {
  assert.equal(rounded(krippendorffAlpha(unitsOf("0100000010", "1110010000"))), 0.095);
  const four = unitsOf("123321412...", "1233224125.3", ".3332342251.", "12332441251.");
  assert.equal(rounded(krippendorffAlpha(four)), 0.743);
});

test("one value alone, and nothing judged twice, have no α; full agreement has 1", () => {
  assert.equal(krippendorffAlpha([]), null);
  assert.equal(krippendorffAlpha([[1], [2]]), null);
  assert.equal(krippendorffAlpha([[1, 1], [1, 1], [2]]), null);
  assert.equal(krippendorffAlpha([[1, 1], [2, 2], [3]]), 1);
});

test("α is at most 1, and depends on no order", () => {
  const unit = fc.array(fc.nat(3), { maxLength: 4 });
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 30 }), (units) => {
      const alpha = krippendorffAlpha(units);
      assert.ok(alpha === null || alpha <= 1 + 1e-12);
      const turned = units.toReversed().map((each) => each.toReversed());
      const other = krippendorffAlpha(turned);
      if (alpha === null || other === null) assert.equal(alpha, other);
      else assert.ok(Math.abs(alpha - other) < 1e-9);
    }),
  );
});
