import assert from "node:assert/strict";
import { test } from "node:test";
import { hasThinDays } from "./suited-series.ts";

const daysOf = (...answers: readonly number[]) => {
  const data = answers.map((denominator, day) => ({
    timestamp: new Date(day * 86_400_000).toISOString(),
    value: denominator === 0 ? null : 0.5,
    numerator: denominator / 2,
    denominator,
    interval: null,
    empty: denominator === 0,
    covered: 1,
    days: 1,
  }));
  return { series: [{ id: "a", name: "Tarnfell", data }] };
};

test("days are thin when the median of those with answers has fewer than 30", () => {
  assert.equal(hasThinDays(daysOf(29, 30, 1_000)), false);
  assert.equal(hasThinDays(daysOf(29, 29, 1_000)), true);
  assert.equal(hasThinDays(daysOf(0, 0, 0, 40)), false);
  assert.equal(hasThinDays(daysOf()), false);
});
