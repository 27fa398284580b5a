import assert from "node:assert/strict";
import { test } from "node:test";
import { comparedOf, daysOf, periodOf } from "./report-period.ts";

const at = (text: string) => Date.parse(text);
const days = (startDate: string, endDate: string) => ({ startDate, endDate });

test("a rule gives the whole days, weeks, months or quarters before a day", () => {
  // A Thursday.
  const thursday = at("2026-11-26T22:00:00Z");
  assert.deepEqual(periodOf("last-week", thursday), days("2026-11-16", "2026-11-22"));
  assert.deepEqual(periodOf("last-month", thursday), days("2026-10-01", "2026-10-31"));
  assert.deepEqual(periodOf("last-quarter", thursday), days("2026-07-01", "2026-09-30"));
  assert.deepEqual(periodOf("last-28-days", thursday), days("2026-10-29", "2026-11-25"));
  assert.deepEqual(periodOf("last-1-days", thursday), days("2026-11-25", "2026-11-25"));
});

test("the first instant of a unit belongs to it", () => {
  const newYear = at("2026-01-01T00:00:00Z");
  assert.deepEqual(periodOf("last-month", newYear), days("2025-12-01", "2025-12-31"));
  assert.deepEqual(periodOf("last-quarter", newYear), days("2025-10-01", "2025-12-31"));
  const monday = at("2026-11-23T00:00:00Z");
  assert.deepEqual(periodOf("last-week", monday), days("2026-11-16", "2026-11-22"));
});

test("a period is compared with the one before it, or with the same a year before", () => {
  const october = days("2026-10-01", "2026-10-31");
  assert.deepEqual(comparedOf(undefined, october), days("2026-09-01", "2026-09-30"));
  assert.deepEqual(comparedOf("previous", october), days("2026-09-01", "2026-09-30"));
  assert.deepEqual(comparedOf("year", october), days("2025-10-01", "2025-10-31"));
  assert.equal(comparedOf("none", october), null);
  const long = comparedOf("year", days("2024-01-01", "2026-10-31"));
  assert.ok(long !== null && "refused" in long);
});

test("both days of a period are inside it", () => {
  assert.equal(daysOf(days("2026-02-28", "2026-02-28")), 1);
  assert.equal(daysOf(days("2026-01-01", "2026-01-31")), 31);
});
