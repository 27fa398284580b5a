import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceOf } from "./uploads.ts";

test("an import is named by its file, in characters that a list can show", () => {
  assert.equal(sourceOf("Köln 👩‍🔬.csv"), "Köln 👩‍🔬.csv");
  assert.equal(sourceOf("a\u202eb\nc"), "a\ufffdb\ufffdc");
  assert.equal([...sourceOf("🔬".repeat(300))].length, 255);
  assert.equal(sourceOf(""), "file");
});
