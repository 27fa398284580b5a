import assert from "node:assert/strict";
import { test } from "node:test";
import type { PeriodName } from "@sightline/contract/period-names";
import { intervalFor } from "@sightline/contract/periods";
import {
  bucketRange,
  comparedRange,
  datesOfRange,
  daysSince,
  rangeOf,
  wholeWeeksIn,
} from "./period.ts";

const nowMs = Date.parse("2026-11-04T12:00:00Z");
const covered = { first: "2025-11-01T08:00:00.000Z", last: "2026-10-31T16:08:00.000Z" };

test("a period with a name ends with the day of the newest answer", () => {
  const range = rangeOf("12w", covered, nowMs);
  assert.deepEqual(datesOfRange(range), { first: "2026-08-09", last: "2026-10-31" });
  const ahead = { ...covered, last: "2026-11-05T01:00:00.000Z" };
  assert.equal(datesOfRange(rangeOf("7d", ahead, nowMs)).last, "2026-11-04");
  const none = { first: null, last: null };
  assert.deepEqual(datesOfRange(rangeOf("all", none, nowMs)), {
    first: "2026-11-04",
    last: "2026-11-04",
  });
  assert.equal(datesOfRange(rangeOf("all", covered, nowMs)).first, "2025-11-01");
});

test("a comparison is the period before, a year ago, or of a date", () => {
  const range = rangeOf({ first: "2026-01-08", last: "2026-01-14" }, covered, nowMs);
  const before = comparedRange("previous", range);
  assert.ok(before !== null && !("refused" in before));
  assert.deepEqual(datesOfRange(before), { first: "2026-01-01", last: "2026-01-07" });
  const year = comparedRange("2025-01-08", range);
  assert.ok(year !== null && !("refused" in year));
  assert.deepEqual(datesOfRange(year), { first: "2025-01-08", last: "2025-01-14" });
  assert.deepEqual(comparedRange("year-ago", range), year);
  assert.equal(comparedRange("none", range), null);
  const march = rangeOf({ first: "2026-03-01", last: "2026-03-31" }, covered, nowMs);
  const february = rangeOf({ first: "2026-02-01", last: "2026-02-28" }, covered, nowMs);
  assert.deepEqual(comparedRange("previous", march), february);
  assert.deepEqual(comparedRange("2026-02-10", march), february);
  const overlapping = comparedRange("2026-03-15", march);
  assert.match(JSON.stringify(overlapping), /starts at 2026-02-01 or before/);
});

test("buckets suit the period, and lie inside it", () => {
  const range = rangeOf("12w", covered, nowMs);
  assert.equal(intervalFor(range), "weekly");
  assert.equal(intervalFor(rangeOf("28d", covered, nowMs)), "daily");
  const first = bucketRange(Date.parse("2026-08-03T00:00:00Z"), "weekly", range);
  assert.deepEqual(datesOfRange(first), { first: "2026-08-09", last: "2026-08-09" });
  const month = bucketRange(Date.parse("2026-09-01T00:00:00Z"), "monthly", range);
  assert.deepEqual(datesOfRange(month), { first: "2026-09-01", last: "2026-09-30" });
});

test("yesterday evening is a day ago, however few hours", () => {
  const of = (at: string) => daysSince(at, nowMs);
  assert.deepEqual(
    ["2026-11-04T00:00:00Z", "2026-11-03T23:59:59Z", "2026-11-03T00:00:00Z"].map(of),
    [0, 1, 1],
  );
});

test("a period of the calendar is whole, and so is the one that it is compared with", () => {
  const datesOf = (period: PeriodName, now = nowMs) => {
    const range = rangeOf(period, covered, now);
    const before = comparedRange("previous", range);
    assert.ok(before !== null && !("refused" in before));
    const [own, other] = [datesOfRange(range), datesOfRange(before)];
    return [own.first, own.last, other.first, other.last].join(" ");
  };
  const wanted: Readonly<Partial<Record<PeriodName, string>>> = {
    "this-month": "2026-11-01 2026-11-30 2026-10-01 2026-10-31",
    "last-month": "2026-10-01 2026-10-31 2026-09-01 2026-09-30",
    "this-quarter": "2026-10-01 2026-12-31 2026-07-01 2026-09-30",
    "last-quarter": "2026-07-01 2026-09-30 2026-04-01 2026-06-30",
    "this-year": "2026-01-01 2026-12-31 2025-01-01 2025-12-31",
    "last-year": "2025-01-01 2025-12-31 2024-01-01 2024-12-31",
  };
  for (const [period, dates] of Object.entries(wanted)) {
    assert.equal(datesOf(period as PeriodName), dates, period);
  }
  const newYear = Date.parse("2026-01-01T00:00:00Z");
  assert.equal(datesOf("last-month", newYear), "2025-12-01 2025-12-31 2025-11-01 2025-11-30");
  assert.equal(datesOf("last-quarter", newYear), "2025-10-01 2025-12-31 2025-07-01 2025-09-30");
});

test("whole weeks are from Monday to Monday, inside the range", () => {
  const weeks = (from: string, to: string) =>
    wholeWeeksIn({ fromMs: Date.parse(from), toMs: Date.parse(to) });
  assert.equal(weeks("2026-01-05", "2026-02-09"), 5);
  assert.equal(weeks("2026-01-06", "2026-02-09"), 4);
  assert.equal(weeks("2026-01-05", "2026-02-08"), 4);
  assert.equal(weeks("2026-01-06", "2026-01-12"), 0);
  assert.equal(weeks("1969-12-22", "1970-01-05"), 2);
});
