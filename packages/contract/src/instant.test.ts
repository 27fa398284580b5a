import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { instantOf } from "./instant.ts";

describe("an instant is read from", () => {
  const same = "2026-01-31T12:30:45.000Z";
  const cases: Readonly<Record<string, string>> = {
    "2026-01-31T12:30:45Z": same,
    "2026-01-31t12:30:45z": same,
    "2026-01-31T12:30:45+00:00": same,
    // RFC 3339, 4.3: the offset of UTC when the local one is not known.
    "2026-01-31T12:30:45-00:00": same,
    "2026-01-31T14:30:45+02:00": same,
    "2026-01-31T07:00:45-05:30": same,
    "2026-02-01T12:29:45+23:59": same,
    "2026-01-30T12:31:45-23:59": same,
    "2026-01-31T12:30:45.1Z": "2026-01-31T12:30:45.100Z",
    "2026-01-31T12:30:45.12Z": "2026-01-31T12:30:45.120Z",
    "2026-01-31T12:30:45.123Z": "2026-01-31T12:30:45.123Z",
    // Digits after the third are cut, not rounded: no instant moves into the next bucket.
    "2026-01-31T12:30:45.9999Z": "2026-01-31T12:30:45.999Z",
    [`2026-01-31T12:30:45.${"0".repeat(5_000)}9+00:00`]: same,
    "2024-02-29T00:00:00Z": "2024-02-29T00:00:00.000Z",
    "2000-02-29T00:00:00Z": "2000-02-29T00:00:00.000Z",
    // A leap second is the second after it, as in POSIX; its fraction does not show.
    "2016-12-31T23:59:60Z": "2017-01-01T00:00:00.000Z",
    "2016-12-31T23:59:60.5Z": "2017-01-01T00:00:00.000Z",
    "2017-01-01T01:29:60+01:30": "2017-01-01T00:00:00.000Z",
    "2016-12-31T18:59:60-05:00": "2017-01-01T00:00:00.000Z",
    "0001-01-01T00:00:00Z": "0001-01-01T00:00:00.000Z",
    "0001-01-01T01:00:00+01:00": "0001-01-01T00:00:00.000Z",
    "0000-12-31T23:00:00-01:00": "0001-01-01T00:00:00.000Z",
    "0033-04-03T15:00:00Z": "0033-04-03T15:00:00.000Z",
    "9999-12-31T23:59:59.999999Z": "9999-12-31T23:59:59.999Z",
    "1969-12-31T23:59:59.999Z": "1969-12-31T23:59:59.999Z",
  };
  for (const [text, instant] of Object.entries(cases)) {
    test(text.slice(0, 60), () => assert.equal(instantOf(text), Date.parse(instant)));
  }
});

describe("no instant is read from", () => {
  const cases: Readonly<Record<string, string>> = {
    "the empty text": "",
    "a date alone": "2026-01-31",
    "no offset": "2026-01-31T00:00:00",
    "no seconds": "2026-01-31T00:00Z",
    "a space for the T": "2026-01-31 00:00:00Z",
    "a space before": " 2026-01-31T00:00:00Z",
    "a line's end behind": "2026-01-31T00:00:00Z\n",
    "a NUL behind": "2026-01-31T00:00:00Z\0",
    "24 o'clock": "2026-01-31T24:00:00Z",
    "minute 60": "2026-01-31T00:60:00Z",
    "second 61": "2026-01-31T23:59:61Z",
    "a leap second at noon": "2026-01-31T12:00:60Z",
    "a leap second that is one in local time only": "2026-01-31T23:59:60+01:00",
    "a leap second after the last instant": "9999-12-31T23:59:60Z",
    "29 February of a common year": "2026-02-29T00:00:00Z",
    "29 February of a common hundredth year": "1900-02-29T00:00:00Z",
    "30 February": "2024-02-30T00:00:00Z",
    "31 April": "2026-04-31T00:00:00Z",
    "month 0": "2026-00-10T00:00:00Z",
    "month 13": "2026-13-10T00:00:00Z",
    "day 0": "2026-01-00T00:00:00Z",
    "the year 0": "0000-12-31T23:59:59Z",
    "an offset into the year 0": "0001-01-01T00:00:00+00:01",
    "an offset into the year 10000": "9999-12-31T23:59:59-00:01",
    "five digits of year": "12026-01-31T00:00:00Z",
    "a sign before the year": "+002026-01-31T00:00:00Z",
    "one digit of month": "2026-1-31T00:00:00Z",
    "no colon in the offset": "2026-01-31T00:00:00+0100",
    "hours alone in the offset": "2026-01-31T00:00:00+01",
    "an offset of 24 hours": "2026-01-31T00:00:00+24:00",
    "an offset of 60 minutes": "2026-01-31T00:00:00+00:60",
    "Z and an offset": "2026-01-31T00:00:00Z+00:00",
    "a minus that is not ASCII": "2026-01-31T00:00:00−01:00",
    "a zone's name": "2026-01-31T00:00:00 UTC",
    "a fraction without digits": "2026-01-31T00:00:00.Z",
    "a comma before the fraction": "2026-01-31T00:00:00,5Z",
    "digits that are not ASCII": "２０２６-01-31T00:00:00Z",
    "the basic format": "20260131T000000Z",
    "a week date": "2026-W05-6T00:00:00Z",
    "a number": "1769817600000",
  };
  for (const [what, text] of Object.entries(cases)) {
    test(what, () => assert.equal(instantOf(text), null));
  }
});

const runs = { numRuns: 2_000 };
const instants = fc.date({
  min: new Date("0001-01-01T00:00:00.000Z"),
  max: new Date("9999-12-31T23:59:59.999Z"),
  noInvalidDate: true,
});

test("a canonical text is the instant that Date.parse gives", () => {
  fc.assert(
    fc.property(instants, (date) => {
      assert.equal(instantOf(date.toISOString()), date.getTime());
    }),
    runs,
  );
});

test("the same instant is read from every offset", () => {
  fc.assert(
    fc.property(instants, fc.integer({ min: -1439, max: 1439 }), (date, minutes) => {
      const local = new Date(date.getTime() + minutes * 60_000);
      fc.pre(local.getUTCFullYear() >= 0 && local.getUTCFullYear() <= 9999);
      const size = Math.abs(minutes);
      const [hour, minute] = [Math.floor(size / 60), size % 60];
      const offset = `${minutes < 0 ? "-" : "+"}${twoDigits(hour)}:${twoDigits(minute)}`;
      assert.equal(instantOf(local.toISOString().replace("Z", offset)), date.getTime());
    }),
    runs,
  );
});

test("any other text is refused without a failure", () => {
  const almost = fc.stringMatching(
    /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d*)?([Zz]|[+-]\d\d:\d\d)?$/,
  );
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), almost), (text) => {
      const instant = instantOf(text);
      // What is taken is a day that exists: written out again it begins as it was written.
      const zoned = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:[0-5]\d)(?:\.\d+)?(?:[Zz]|[+-]00:00)$/.exec(
        text,
      );
      if (instant === null || zoned === null) return;
      assert.equal(new Date(instant).toISOString().slice(0, 19), `${zoned[1]}T${zoned[2]}`);
    }),
    runs,
  );
});

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
