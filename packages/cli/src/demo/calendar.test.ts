import assert from "node:assert/strict";
import { test } from "node:test";
import { dayBefore, firstDayOf, lastDayOf } from "./calendar.ts";

test("the demo's year ends with the day before now, in UTC", () => {
  assert.equal(dayBefore(Date.parse("2026-11-23T00:00:00Z")), "2026-11-22");
  assert.equal(dayBefore(Date.parse("2026-11-23T23:59:59Z")), "2026-11-22");
});

test("a year has 365 days and is found again by the instant of its first answer", () => {
  assert.equal(firstDayOf("2026-10-31"), "2025-11-01");
  assert.equal(lastDayOf(Date.parse("2025-11-01T17:00:00Z")), "2026-10-31");
  assert.equal(firstDayOf("2028-02-29"), "2027-03-02");
});
