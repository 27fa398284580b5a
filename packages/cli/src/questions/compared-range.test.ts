import assert from "node:assert/strict";
import { test } from "node:test";
import { comparedRange } from "./compared-range.ts";

const week = { from: "2026-01-08T00:00:00.000Z", to: "2026-01-15T00:00:00.000Z" };
const now = Date.parse("2026-01-20T12:00:00Z");

test("the range just before, or one as long from a time on", () => {
  const before = { from: "2026-01-01T00:00:00.000Z", to: "2026-01-08T00:00:00.000Z" };
  assert.deepEqual(comparedRange("previous", week, now), before);
  assert.deepEqual(comparedRange("Previous", week, now), before);
  assert.deepEqual(comparedRange("last-year", week, now), {
    from: "2025-01-01T00:00:00.000Z",
    to: "2025-01-08T00:00:00.000Z",
  });
  assert.equal(comparedRange(undefined, week, now), null);
});

test("no range, or the same one", () => {
  assert.throws(() => comparedRange("before", week, now), /--compare: invalid time "before"/);
  assert.throws(() => comparedRange("2026-01-08", week, now), /compared with itself/);
});
