import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChartSeries, datesOf, drawnSeries, gapsOf, ordered } from "./chart-data.ts";

const lineOf = (id: string, ...values: readonly (number | null)[]): ChartSeries => ({
  ...{ id, name: id, isBrand: id === "brand", color: "" },
  points: values.map((value, index) => ({
    ...{ startMs: index, value, low: null, high: null },
    numerator: (value ?? 0) * 100,
    denominator: 100,
    isEmpty: value === null,
  })),
});
const ids = (series: readonly ChartSeries[]) => series.map(({ id }) => id);

test("gaps are the runs of empty buckets", () => {
  const { points } = lineOf("a", null, 0.1, null, null, 0, null);
  const gaps = [
    { first: 0, last: 0 },
    { first: 2, last: 3 },
    { first: 5, last: 5 },
  ];
  assert.deepEqual(gapsOf(points), gaps);
});

test("the brand is drawn last, beside those with the most hits or those isolated", () => {
  const others = Array.from({ length: 12 }, (_, index) => lineOf(`c${index}`, index / 100));
  const all = [lineOf("brand", 0.5), ...others];
  const most = ["c11", "c10", "c9", "c8", "c7", "c6", "c5", "c4", "brand"];
  assert.deepEqual(ids(drawnSeries(all, [])), most);
  assert.deepEqual(ids(drawnSeries(all, ["c2"])), ["c2", "brand"]);
  assert.deepEqual(ids(drawnSeries(all, ["brand"])), ["brand"]);
  assert.deepEqual(ids(drawnSeries(all, ["retired"])), most);
  assert.deepEqual(ids(drawnSeries([], [])), []);
});

test("a bucket's entities are sorted: rates from the highest, ranks from the first place", () => {
  const all = [lineOf("a", 0.2), lineOf("b", null), lineOf("c", 0.4), lineOf("brand", 0.3)];
  assert.deepEqual(ids(ordered(all, 0, "fraction")), ["c", "brand", "a", "b"]);
  assert.deepEqual(ids(ordered(all, 0, "place")), ["a", "brand", "c", "b"]);
});

test("the days of a bucket are those of the reply that is drawn, not of the next one", () => {
  const point = { value: null, numerator: 0, denominator: 0, interval: null, empty: true };
  const data = ["2026-01-05", "2026-01-12"].map((day) => {
    return { ...point, timestamp: `${day}T00:00:00.000Z` };
  });
  const timeRange = { from: "2026-01-07T00:00:00.000Z", to: "2026-01-15T00:00:00.000Z" };
  const reply = { interval: "weekly", timeRange, series: [{ id: "a", name: "A", data }] } as const;
  const days = [0, 1].map((bucket) => datesOf({ ...reply, series: [...reply.series] }, bucket));
  assert.deepEqual(days, [
    { first: "2026-01-07", last: "2026-01-11" },
    { first: "2026-01-12", last: "2026-01-14" },
  ]);
});
