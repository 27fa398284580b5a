import assert from "node:assert/strict";
import { test } from "node:test";
import { comparedPeriod, type Period, periodOf, timeRangeOf, withinAnswered } from "./period.ts";

/** Saturday, in ISO week 47. */
const now = Date.parse("2026-11-21T08:30:00Z");

/** A period's dates, or its instants where they are no dates. */
function texts(period: Period): readonly string[] {
  const { from, to } = timeRangeOf(period);
  return [from, to].map((text) => text.replace("T00:00:00.000Z", ""));
}

test("every form of a period", () => {
  for (const [text, from, to] of [
    ["2026-10-05", "2026-10-05", "2026-10-06"],
    ["2026-10", "2026-10-01", "2026-11-01"],
    ["2026", "2026-01-01", "2027-01-01"],
    ["2026-W41", "2026-10-05", "2026-10-12"],
    ["2020W53", "2020-12-28", "2021-01-04"],
    ["2021-w01", "2021-01-04", "2021-01-11"],
    ["2026-10-01/2026-11-01", "2026-10-01", "2026-11-01"],
    ["2026-10-01T02:00:00+02:00/2026-10-01T12:00:00Z", "2026-10-01", "2026-10-01T12:00:00.000Z"],
    ["1d", "2026-11-21", "2026-11-22"],
    ["30d", "2026-10-23", "2026-11-22"],
    ["2W", "2026-11-08", "2026-11-22"],
    ["today", "2026-11-21", "2026-11-22"],
    ["Yesterday", "2026-11-20", "2026-11-21"],
    ["this-week", "2026-11-16", "2026-11-22"],
    ["last-week", "2026-11-09", "2026-11-16"],
    ["this-month", "2026-11-01", "2026-11-22"],
    [" last-month ", "2026-10-01", "2026-11-01"],
    ["this-year", "2026-01-01", "2026-11-22"],
    ["last-year", "2025-01-01", "2026-01-01"],
  ] as const) {
    assert.deepEqual(texts(periodOf(text, now)), [from, to], text);
  }
});

test("a text that is not a period is rejected with the forms and today's date", () => {
  for (const text of [
    ...["", "soon", "2026-13", "2026-02-30", "2026-W54", "2021-W53", "2026-W00", "0000", "9999"],
    ...["2026-10-01/", "/", "2026-10-01/2026-10-02/2026-10-03", "2026-10/2026-11", "0d", "99999d"],
    ...["2026-10-01T00:00:00/2026-10-02", "__proto__", "constructor", "２０２６", "9999-12-31"],
  ]) {
    const says = /is not a period\..* Use a day .* Today is 2026-11-21\.$/;
    assert.throws(() => periodOf(text, now), { name: "ToolFault", message: says }, text);
  }
  for (const text of ["2026-10-02/2026-10-01", "2026-10-01/2026-10-01"]) {
    assert.throws(() => periodOf(text, now), { name: "ToolFault", message: /is empty/ });
  }
});

test("the compared period: before, a year ago, or a named one that does not overlap", () => {
  for (const [text, compared, from, to] of [
    ["2026-03", "before", "2026-02-01", "2026-03-01"],
    ["2026", "Before", "2025-01-01", "2026-01-01"],
    ["this-month", "before", "2026-10-11", "2026-11-01"],
    ["2026-W41", "before", "2026-09-28", "2026-10-05"],
    ["2026-03", "year-ago", "2025-03-01", "2025-04-01"],
    ["2026-03", "2025-11", "2025-11-01", "2025-12-01"],
  ] as const) {
    const found = comparedPeriod(compared, periodOf(text, now), now);
    assert.deepEqual(texts(found), [from, to], text);
  }
  const overlapping = () => comparedPeriod("2026-02-01/2026-03-04", periodOf("2026-03", now), now);
  assert.throws(
    overlapping,
    /overlaps .* ends at 2026-03-01 or before, or starts at 2026-04-01 or/,
  );
  assert.throws(() => comparedPeriod("earlier", periodOf("2026-03", now), now), /not a period/);
});

test("a period ends with the day of the last answer, unless it begins later", () => {
  const until = (text: string, last: string | null) =>
    texts(withinAnswered(periodOf(text, now), { last }));
  assert.deepEqual(until("2026-10", "2026-10-05T23:59:59.999Z"), ["2026-10-01", "2026-10-06"]);
  assert.deepEqual(until("2026-10", "2026-11-05T00:00:00Z"), ["2026-10-01", "2026-11-01"]);
  assert.deepEqual(until("2026-10", "2026-09-30T00:00:00Z"), ["2026-10-01", "2026-11-01"]);
  assert.deepEqual(until("2026-10", null), ["2026-10-01", "2026-11-01"]);
});
