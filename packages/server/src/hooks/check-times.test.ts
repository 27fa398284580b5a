import assert from "node:assert/strict";
import { test } from "node:test";
import { lastDays, lastWeek, nextCheck } from "./check-times.ts";

const text = (ms: number) => new Date(ms).toISOString().slice(0, 16);

test("checks are at six, daily for moves, on Mondays for a digest alone", () => {
  const cases = [
    ["2026-06-01T05:59", "2026-06-01T06:00", "2026-06-01T06:00"],
    ["2026-06-01T06:00", "2026-06-02T06:00", "2026-06-08T06:00"],
    ["2026-06-07T23:59", "2026-06-08T06:00", "2026-06-08T06:00"],
    ["2026-12-31T12:00", "2027-01-01T06:00", "2027-01-04T06:00"],
  ] as const;
  for (const [now, daily, weekly] of cases) {
    const ms = Date.parse(`${now}Z`);
    assert.equal(text(nextCheck(["moved"], ms)), daily);
    assert.equal(text(nextCheck(["digest", "moved"], ms)), daily);
    assert.equal(text(nextCheck(["digest"], ms)), weekly);
  }
});

test("days count from six hours after their end", () => {
  const at = (now: string) => {
    const ms = Date.parse(now);
    return [lastWeek(ms), lastDays(ms)].map(({ fromMs, toMs, beforeMs }) =>
      [beforeMs, fromMs, toMs].map((each) => text(each).slice(5, 10)).join(" "),
    );
  };
  assert.deepEqual(at("2026-06-08T05:59:59Z"), ["05-18 05-25 06-01", "05-24 05-31 06-07"]);
  assert.deepEqual(at("2026-06-08T06:00:00Z"), ["05-25 06-01 06-08", "05-25 06-01 06-08"]);
  assert.deepEqual(at("2026-06-10T06:00:00Z"), ["05-25 06-01 06-08", "05-27 06-03 06-10"]);
});
