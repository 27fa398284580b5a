import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs } from "@sightline/contract";
import fc from "fast-check";
import { intervalOf, timeRangeOf } from "./time-range.ts";
import { timeWords } from "./time-word.ts";

const now = Date.parse("2026-03-04T15:30:00Z");

function range(from?: string, to?: string) {
  const given = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  const asked = timeRangeOf(given, now);
  return [asked.from, asked.to].map((text) => text.replace("T00:00:00.000Z", ""));
}

test("thirty days, today being the last, unless it is said", () => {
  assert.deepEqual(range(), ["2026-02-03", "2026-03-05"]);
  assert.deepEqual(range("30d"), ["2026-02-03", "2026-03-05"]);
  assert.deepEqual(range(undefined, "2026-01-31"), ["2026-01-01", "2026-01-31"]);
  assert.deepEqual(range("last-month"), ["2026-02-01", "2026-03-05"]);
  assert.deepEqual(range("last-month", "this-month"), ["2026-02-01", "2026-03-01"]);
  assert.deepEqual(range("yesterday", "today"), ["2026-03-03", "2026-03-04"]);
  assert.deepEqual(range("today", "now"), ["2026-03-04", "2026-03-04T15:30:00.000Z"]);
});

test("an empty range, and years that the service does not take", () => {
  assert.throws(() => range("last-month", "last-month"), {
    exitStatus: 2,
    message:
      "--from 2026-02-01T00:00:00.000Z must be before --to 2026-02-01T00:00:00.000Z, which is " +
      "exclusive. For all of last month, use --from last-month --to this-month.",
  });
  assert.throws(() => range("tomorrow"), /must be before --to/);
  assert.throws(() => timeRangeOf({ from: "99999w" }, Date.parse("1900-01-01T00:00:00Z")), {
    exitStatus: 2,
    message: "--from: the year must be between 0001 and 9999.",
  });
});

test("the interval grows with the range", () => {
  const of = (days: number) => {
    const to = new Date(now + days * dayMs).toISOString();
    return intervalOf({ from: new Date(now).toISOString(), to });
  };
  assert.deepEqual([1, 92, 93, 731, 732, 5_000].map(of), [
    "daily",
    "daily",
    "weekly",
    "weekly",
    "monthly",
    "monthly",
  ]);
});

test("a range is never empty or turned round, whatever two times are given", () => {
  const times = fc.constantFrom(...timeWords, "now", "1d", "7d", "12w", "2026-01", "2026-03-04");
  fc.assert(
    fc.property(times, times, (from, to) => {
      try {
        const asked = timeRangeOf({ from, to }, now);
        assert.ok(Date.parse(asked.from) < Date.parse(asked.to));
      } catch (error) {
        assert.match(String(error), /must be before --to/);
      }
    }),
  );
});
