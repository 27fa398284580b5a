import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs, startOfDay, startOfIsoWeek, startOfMonth, startsAround } from "./utc-calendar.ts";

const text = (instantMs: number | null) =>
  instantMs === null ? null : new Date(instantMs).toISOString().slice(0, 10);

test("the starts around an instant", () => {
  const around = startsAround(Date.parse("2026-01-01T23:59:59.999Z"));
  assert.deepEqual([around.day, around.week, around.month, around.year].map(text), [
    "2026-01-01",
    "2025-12-29",
    "2026-01-01",
    "2026-01-01",
  ]);
  assert.equal(startsAround(around.week - 1).week, around.week - 7 * dayMs);
});

test("months count on beyond the year, and early years are themselves", () => {
  assert.equal(text(startOfMonth(Date.parse("2026-01-31T00:00:00Z"), -1)), "2025-12-01");
  assert.equal(text(startOfMonth(Date.parse("2026-12-31T00:00:00Z"), 2)), "2027-02-01");
  assert.equal(text(startOfDay(33, 0, 1)), "0033-01-01");
});

test("ISO weeks: the first holds 4 January, and only some years have 53", () => {
  assert.equal(text(startOfIsoWeek(2026, 1)), "2025-12-29");
  assert.equal(text(startOfIsoWeek(2026, 53)), "2026-12-28");
  assert.equal(startOfIsoWeek(2025, 53), null);
  assert.equal(startOfIsoWeek(2026, 0), null);
});
