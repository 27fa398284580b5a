import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  type ComparedRange,
  type InstantRange,
  overlapFault,
  rangeBefore,
  rangeFrom,
  rangeYearAgo,
} from "./compared-range.ts";
import { dayMs, startOfDay, startOfMonth } from "./utc-calendar.ts";

const at = (text: string) => Date.parse(text.length === 10 ? `${text}T00:00:00Z` : text);
const range = (text: string): InstantRange => {
  const [from = "", to = ""] = text.split("/");
  return { fromMs: at(from), toMs: at(to) };
};
const shown = (found: ComparedRange): string => {
  if ("refused" in found) return found.refused;
  const texts = [found.fromMs, found.toMs].map((ms) => new Date(ms).toISOString());
  return texts.map((text) => text.replace("T00:00:00.000Z", "")).join("/");
};

test("the period before whole years, quarters, months and weeks is as many before", () => {
  const cases = {
    "2026-03-01/2026-04-01": "2026-02-01/2026-03-01",
    "2024-03-01/2024-04-01": "2024-02-01/2024-03-01",
    "2026-01-01/2026-02-01": "2025-12-01/2026-01-01",
    "2026-03-01/2026-05-01": "2026-01-01/2026-03-01",
    "2026-04-01/2026-07-01": "2026-01-01/2026-04-01",
    "2024-01-01/2025-01-01": "2023-01-01/2024-01-01",
    "2021-02-01/2021-03-01": "2021-01-01/2021-02-01", // also four weeks from Monday
    "2026-03-02/2026-03-16": "2026-02-16/2026-03-02",
  };
  for (const [own, before] of Object.entries(cases)) {
    assert.equal(shown(rangeBefore(range(own))), before, own);
  }
});

test("the period before any other range is the same length just before", () => {
  const cases = {
    "2026-03-01/2026-03-11": "2026-02-19/2026-03-01",
    "2026-03-02/2026-04-01": "2026-01-31/2026-03-02",
    "2026-03-01T12:00:00Z/2026-04-01": "2026-01-30/2026-03-01T12:00:00.000Z",
  };
  for (const [own, before] of Object.entries(cases)) {
    assert.equal(shown(rangeBefore(range(own))).split("/")[0], before.split("/")[0], own);
  }
});

test("the same period of the year before has the same dates", () => {
  const cases = {
    "2026-03-01/2026-04-01": "2025-03-01/2025-04-01",
    "2024-02-01/2024-03-01": "2023-02-01/2023-03-01",
    "2025-02-01/2025-03-01": "2024-02-01/2024-03-01",
    "2025-02-22/2025-03-01": "2024-02-22/2024-02-29",
    "2024-02-29/2024-03-01": "2023-02-28/2023-03-01",
    "2024-02-28/2024-02-29": "2023-02-28/2023-03-01",
    "2026-03-02/2026-03-09": "2025-03-02/2025-03-09",
    "2026-03-02T06:00:00Z/2026-03-03T07:00:00Z":
      "2025-03-02T06:00:00.000Z/2025-03-03T07:00:00.000Z",
    "2026-01-01/2027-01-01": "2025-01-01/2026-01-01",
  };
  for (const [own, earlier] of Object.entries(cases)) {
    assert.equal(shown(rangeYearAgo(range(own))), earlier, own);
  }
  assert.match(shown(rangeYearAgo(range("2025-01-01/2026-02-01"))), /overlaps/);
});

test("a chosen date chooses the unit that it lies in, or the same length", () => {
  const march = range("2026-03-01/2026-04-01");
  const cases: readonly (readonly [string, InstantRange, string])[] = [
    ["2026-02-01", march, "2026-02-01/2026-03-01"],
    ["2026-02-10", march, "2026-02-01/2026-03-01"],
    ["2026-04-30", march, "2026-04-01/2026-05-01"],
    ["2025-02-10", range("2026-01-01/2026-04-01"), "2025-01-01/2025-04-01"],
    ["2025-02-10", range("2026-02-01/2026-05-01"), "2025-02-01/2025-05-01"],
    ["2025-02-10", range("2026-01-01/2027-01-01"), "2025-01-01/2026-01-01"],
    ["2026-01-14", range("2026-03-02/2026-03-09"), "2026-01-12/2026-01-19"],
    ["2026-01-14", range("2026-03-03/2026-03-10"), "2026-01-14/2026-01-21"],
  ];
  for (const [date, own, chosen] of cases) {
    assert.equal(shown(rangeFrom(at(date), own)), chosen, date);
  }
});

test("a range that overlaps is refused, with the dates that would do", () => {
  assert.equal(
    shown(rangeFrom(at("2026-03-10"), range("2026-03-01/2026-04-01"))),
    "2026-03-01 to before 2026-04-01 overlaps 2026-03-01 to before 2026-04-01, so the same " +
      "answers would count on both sides. Use a range that starts at 2026-02-01 or before, or " +
      "at 2026-04-01 or after.",
  );
  const ten = range("2026-03-11/2026-03-21");
  assert.match(shown(rangeFrom(at("2026-03-02"), ten)), /at 2026-03-01 or before/);
  assert.equal(shown(rangeFrom(at("2026-03-01"), ten)), "2026-03-01/2026-03-11");
  assert.equal(shown(rangeFrom(at("2026-03-21"), ten)), "2026-03-21/2026-03-31");
});

const day = fc.integer({ min: 0, max: 60_000 });
const someRange = fc.oneof(
  fc.tuple(day, fc.integer({ min: 1, max: 800 })).map(([from, days]) => {
    return { fromMs: from * dayMs, toMs: (from + days) * dayMs };
  }),
  fc.tuple(day, fc.integer({ min: 1, max: 30 })).map(([from, months]) => {
    const fromMs = startOfMonth(from * dayMs, 0);
    return { fromMs, toMs: startOfMonth(fromMs, months) };
  }),
  fc
    .tuple(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: 1, max: 4e10 }))
    .map(([fromMs, lengthMs]) => ({ fromMs, toMs: fromMs + lengthMs })),
);

test("no comparison overlaps, is empty, or is refused where the message says it would do", () => {
  const check = (own: InstantRange, found: ComparedRange) => {
    if ("refused" in found) return;
    assert.ok(found.fromMs < found.toMs);
    assert.equal(overlapFault(own, found), null);
  };
  fc.assert(
    fc.property(someRange, day, (own, date) => {
      const before = rangeBefore(own);
      check(own, before);
      assert.equal(before.toMs, own.fromMs);
      check(own, rangeYearAgo(own));
      check(own, rangeFrom(date * dayMs, own));
      assert.deepEqual(rangeFrom(before.fromMs, own), before);
      assert.ok(!("refused" in rangeFrom(own.toMs, own)));
    }),
  );
});

test("two neighbours of whole months never share or leave out a day", () => {
  const firstMonth = fc.integer({ min: 0, max: 2_000 });
  fc.assert(
    fc.property(firstMonth, fc.integer({ min: 1, max: 40 }), (month, count) => {
      const own = {
        fromMs: startOfDay(1970, month, 1),
        toMs: startOfDay(1970, month + count, 1),
      };
      const before = { fromMs: startOfDay(1970, month - count, 1), toMs: own.fromMs };
      assert.deepEqual(rangeBefore(own), before);
    }),
  );
});
