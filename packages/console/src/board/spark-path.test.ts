import assert from "node:assert/strict";
import { test } from "node:test";
import { sparkPath } from "./spark-path.ts";

test("a sparkline begins at 0, and is interrupted where nothing was measured", () => {
  assert.equal(sparkPath([0, 0.5, 1]), "M2,22L48,12L94,2");
  assert.equal(sparkPath([null, 0.2, 0.2, null, 0.1]), "M25,2L48,2M94,12Z");
  assert.equal(sparkPath([0, 0]), "M2,22L94,22", "nothing but zeros lies on the ground");
  assert.equal(sparkPath([null, null]), "");
});
