import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs, instantOf } from "@sightline/contract";
import fc from "fast-check";
import { instantOfOption, instantOfTime, startOfNextDay, timeWords } from "./time-word.ts";

/** A Wednesday. */
const now = Date.parse("2026-03-04T15:30:00.500Z");

const known: readonly (readonly [text: string, instant: string])[] = [
  ["now", "2026-03-04T15:30:00.500Z"],
  ["today", "2026-03-04T00:00:00.000Z"],
  ["Yesterday", "2026-03-03T00:00:00.000Z"],
  ["tomorrow", "2026-03-05T00:00:00.000Z"],
  ["this-week", "2026-03-02T00:00:00.000Z"],
  ["last-week", "2026-02-23T00:00:00.000Z"],
  ["this-month", "2026-03-01T00:00:00.000Z"],
  ["last-month", "2026-02-01T00:00:00.000Z"],
  ["this-year", "2026-01-01T00:00:00.000Z"],
  ["last-year", "2025-01-01T00:00:00.000Z"],
  ["1d", "2026-03-04T00:00:00.000Z"],
  ["30d", "2026-02-03T00:00:00.000Z"],
  ["12W", "2025-12-11T00:00:00.000Z"],
  ["2026-01", "2026-01-01T00:00:00.000Z"],
  ["2024-02-29", "2024-02-29T00:00:00.000Z"],
  ["0033-05-01", "0033-05-01T00:00:00.000Z"],
  ["2026-01-05T08:00:00+02:00", "2026-01-05T06:00:00.000Z"],
  ["2026-01-05t08:00:00.25z", "2026-01-05T08:00:00.250Z"],
];

for (const [text, instant] of known) {
  test(`a time: ${text}`, () => {
    assert.equal(new Date(instantOfTime(text, now) ?? Number.NaN).toISOString(), instant);
  });
}

const none = ["", "0d", "-1d", "30", "d", "1.5d", "100000d", "12m", "soon", "constructor"];
for (const text of [
  ...none,
  "2026-02-29",
  "2026-13",
  "2026-1-5",
  "2026-01-05T08:00:00",
  "05.01.26",
]) {
  test(`no time: ${JSON.stringify(text)}`, () => assert.equal(instantOfTime(text, now), null));
}

test("a time that is none is answered with the forms, and the nearest word", () => {
  assert.throws(() => instantOfOption("--from", "last-mnth", now), {
    name: "CommandError",
    exitStatus: 2,
    message:
      '--from: invalid time "last-mnth". Use a UTC date (2026-01-31), a month (2026-01), an ' +
      "instant (2026-01-31T08:00:00Z), days or weeks up to today (30d, 12w), now, today, " +
      "yesterday, tomorrow, this-week, last-week, this-month, last-month, this-year, last-year. " +
      "Did you mean last-month?",
  });
  assert.throws(
    () => instantOfOption("--to", "x".repeat(99), now),
    /: --to: invalid time "x{60}…"/,
  );
});

const instants = fc.date({
  min: new Date("0005-01-01T00:00:00Z"),
  max: new Date("9990-01-01T00:00:00Z"),
  noInvalidDate: true,
});
const midnight = (ms: number) => ((ms % dayMs) + dayMs) % dayMs === 0;

test("every word is a UTC midnight, and in order", () => {
  fc.assert(
    fc.property(instants, (date) => {
      const at = (text: string) => instantOfTime(text, date.getTime()) ?? Number.NaN;
      for (const word of timeWords) assert.ok(midnight(at(word)), word);
      const chains = [
        ["last-year", "this-year", "today"],
        ["last-year", "last-month", "this-month", "today"],
        ["last-week", "this-week", "today"],
        ["yesterday", "today", "now"],
      ];
      for (const chain of chains) {
        const times = chain.map(at);
        assert.deepEqual(
          times,
          times.toSorted((a, b) => a - b),
          chain.join(),
        );
      }
      assert.ok(at("now") < at("tomorrow"));
      assert.equal(new Date(at("this-week")).getUTCDay(), 1);
      assert.equal(at("this-week") - at("last-week"), 7 * dayMs);
      assert.equal(at("tomorrow") - at("yesterday"), 2 * dayMs);
      assert.equal(new Date(at("this-month")).getUTCDate(), 1);
      assert.equal(
        at("this-month"),
        instantOfTime(new Date(at("today")).toISOString().slice(0, 7), 0),
      );
    }),
  );
});

test("a span of days is that many days up to the end of today; weeks are seven", () => {
  fc.assert(
    fc.property(instants, fc.integer({ min: 1, max: 1_400 }), (date, count) => {
      const end = startOfNextDay(date.getTime());
      assert.ok(midnight(end) && end > date.getTime() && end - date.getTime() <= dayMs);
      assert.equal(instantOfTime(`${count}d`, date.getTime()), end - count * dayMs);
      assert.equal(instantOfTime(`${count}w`, date.getTime()), end - count * 7 * dayMs);
    }),
  );
});

test("dates and instants are the service's own, whatever the time is", () => {
  fc.assert(
    fc.property(instants, instants, (date, at) => {
      const text = date.toISOString();
      assert.equal(instantOfTime(text, at.getTime()), instantOf(text));
      const day = `${text.slice(0, 10)}T00:00:00Z`;
      assert.equal(instantOfTime(text.slice(0, 10), at.getTime()), instantOf(day));
    }),
  );
});

test("no text at all is anything but an instant or null", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const instant = instantOfTime(text, now);
      assert.ok(instant === null || Number.isInteger(instant));
    }),
  );
});
