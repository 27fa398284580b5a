import assert from "node:assert/strict";
import { test } from "node:test";
import { comparedRange } from "./compared-range.ts";

const week = { from: "2026-01-08T00:00:00.000Z", to: "2026-01-15T00:00:00.000Z" };
const march = { from: "2026-03-01T00:00:00.000Z", to: "2026-04-01T00:00:00.000Z" };
const now = Date.parse("2026-01-20T12:00:00Z");

test("the period before, the same a year ago, or that of a time", () => {
  const before = { from: "2026-01-01T00:00:00.000Z", to: "2026-01-08T00:00:00.000Z" };
  assert.deepEqual(comparedRange("previous", week, now), before);
  assert.deepEqual(comparedRange("Previous", week, now), before);
  assert.deepEqual(comparedRange("year-ago", week, now), {
    from: "2025-01-08T00:00:00.000Z",
    to: "2025-01-15T00:00:00.000Z",
  });
  assert.deepEqual(comparedRange("last-year", week, now), {
    from: "2025-01-01T00:00:00.000Z",
    to: "2025-01-08T00:00:00.000Z",
  });
  const february = { from: "2026-02-01T00:00:00.000Z", to: "2026-03-01T00:00:00.000Z" };
  for (const word of ["previous", "2026-02", "2026-02-01"]) {
    assert.deepEqual(comparedRange(word, march, now), february, word);
  }
  assert.equal(comparedRange(undefined, week, now), null);
});

test("no range, or one that overlaps, with the dates that would do", () => {
  assert.throws(() => comparedRange("before", week, now), /--compare: invalid time "before"/);
  for (const date of ["2026-01-08", "2026-01-02", "2026-01-14"]) {
    assert.throws(
      () => comparedRange(date, week, now),
      /--compare: .* overlaps .* starts at 2026-01-01 or before, or at 2026-01-15 or after\./,
    );
  }
});
