import assert from "node:assert/strict";
import { test } from "node:test";
import { bandPath, linePath } from "./paths.ts";

test("a line is interrupted where nothing was measured", () => {
  assert.equal(
    linePath([
      [0, 1],
      [10, 2.00049],
      [20, 3],
    ]),
    "M0,1L10,2L20,3",
  );
  assert.equal(linePath([null, [10, 2], null, null, [20, 3], [30, 1]]), "M10,2ZM20,3L30,1");
  assert.equal(linePath([null]), "");
});

test("a band goes along its upper line and back along the lower one", () => {
  assert.equal(
    bandPath([[0, 5, 1], [10, 6, 2], null, [20, 7, 3]]),
    "M0,1L10,2L10,6L0,5ZM20,3L20,7Z",
  );
});
