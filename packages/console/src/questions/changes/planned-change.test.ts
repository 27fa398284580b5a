import assert from "node:assert/strict";
import { test } from "node:test";
import { changeOf, typedOf } from "./planned-change.ts";

test("a change is typed in points, of a rank in places", () => {
  assert.deepEqual(changeOf("mentions", "5"), { change: 0.05 });
  assert.deepEqual(changeOf("citations", " 0,7 "), { change: 0.007 });
  assert.deepEqual(changeOf("rank", "0.25"), { change: 0.25 });
  assert.deepEqual([typedOf("mentions", 0.07), typedOf("rank", 0.5)], ["7", "0.5"]);
  for (let tenths = 1; tenths <= 1_000; tenths += 1) {
    const typed = String(tenths / 10);
    const found = changeOf("mentions", typed);
    assert.ok("change" in found && found.change > 0 && found.change <= 1);
    assert.equal(typedOf("mentions", found.change), typed);
  }
});

test("what is not a change says what is", () => {
  for (const typed of ["", "0", "-1", "5 %", "101", "1e9"]) {
    const found = { fault: "It must be a number of points above 0, at most 100." };
    assert.deepEqual(changeOf("overall-visibility", typed), found, typed);
  }
  assert.deepEqual(changeOf("rank", "x"), {
    fault: "It must be a number of places above 0, at most 100.",
  });
});
