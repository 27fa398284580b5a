import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { contrastOf, grounds, tonesOf } from "./colours.ts";

test("a contrast is that of WCAG", () => {
  assert.equal(contrastOf("#000000", "#ffffff"), 21);
  assert.equal(contrastOf("#ffffff", "#ffffff"), 1);
  // The grey that WCAG's own examples call just enough on white.
  assert.equal(contrastOf("#767676", "#ffffff").toFixed(2), "4.54");
});

test("a colour that contrasts enough stays as it is", () => {
  assert.deepEqual(tonesOf("#0A3D91", "light"), { text: "#0a3d91", line: "#0a3d91" });
  assert.deepEqual(tonesOf("#ffe600", "dark"), { text: "#ffe600", line: "#ffe600" });
});

test("any colour can be read on either ground", () => {
  const colour = fc.integer({ min: 0, max: 0xffffff });
  fc.assert(
    fc.property(colour, fc.constantFrom("light", "dark"), (number, ground) => {
      const { text, line } = tonesOf(`#${number.toString(16).padStart(6, "0")}`, ground);
      assert.ok(contrastOf(text, grounds[ground]) >= 4.5, `${text} on ${ground}`);
      assert.ok(contrastOf(line, grounds[ground]) >= 3, `${line} on ${ground}`);
    }),
  );
});
