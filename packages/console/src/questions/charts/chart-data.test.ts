import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bucketText,
  type ChartSeries,
  chartSeries,
  colorAt,
  countablesOf,
  datesOf,
  drawnSeries,
  gapsOf,
  isPartial,
  lineColors,
  ordered,
  partialPath,
  partText,
} from "./chart-data.ts";

const lineOf = (id: string, ...values: readonly (number | null)[]): ChartSeries => ({
  id,
  name: id,
  isBrand: id === "brand",
  color: "",
  points: values.map((value, index) => ({
    startMs: index,
    value,
    low: null,
    high: null,
    covered: { fromMs: index, toMs: index + 1 },
    coveredDays: 1,
    days: 1,
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

test("no two lines have one colour, and a competitor keeps its own where it can", () => {
  const others = Array.from({ length: 30 }, (_, index) => lineOf(`c${index}`, index % 8 ? 0.1 : 1));
  const drawn = drawnSeries([lineOf("brand", 0.5), ...others], []);
  assert.equal(drawn.length, 9);
  assert.equal(new Set(drawn.map(({ color }) => color)).size, 9);
  const counted = others.map(({ id }, index) => ({ id, hits: index % 8 ? 1 : 10 }));
  const colors = lineColors([{ id: "brand", hits: 0 }, ...counted], []);
  assert.deepEqual([...colors.keys()], ["brand", "c0", "c8", "c16", "c24", "c1", "c2", "c3", "c4"]);
  const of = (id: string) => colors.get(id);
  assert.deepEqual([of("brand"), of("c0"), of("c8")], [colorAt(0), colorAt(1), colorAt(6)]);
  assert.equal(of("c29"), undefined);
  // One collision moves one colour: the ninth has the first's, and takes that of who is not drawn.
  const nine = Array.from({ length: 9 }, (_, at) => ({
    id: `c${at + 1}`,
    hits: at === 8 ? 99 : 50 - at,
  }));
  const few = lineColors([{ id: "brand", hits: 0 }, ...nine], []);
  assert.deepEqual(
    ["c9", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8"].map((id) => few.get(id)),
    [1, 8, 2, 3, 4, 5, 6, 7, undefined].map((place) => place && colorAt(place)),
  );
  const isolated = lineColors([{ id: "brand", hits: 0 }, ...counted], ["c29"]);
  assert.deepEqual(
    [...isolated],
    [
      ["brand", colorAt(0)],
      ["c29", colorAt(30)],
    ],
  );
});

test("leaderboard and evidence count as the chart does: a rank by its mentions", () => {
  const counts = { numerator: 30, denominator: 20 };
  const rates = { mentions: { ...counts, numerator: 5 }, visibility: counts, citations: counts };
  const of = (metric: "mentions" | "rank") =>
    countablesOf([{ id: "a", ...rates, rank: counts }], metric);
  assert.deepEqual(of("mentions"), [{ id: "a", hits: 5 }]);
  assert.deepEqual(of("rank"), [{ id: "a", hits: 20 }]);
});

test("a bucket's entities are sorted: rates from the highest, ranks from the first place", () => {
  const all = [lineOf("a", 0.2), lineOf("b", null), lineOf("c", 0.4), lineOf("brand", 0.3)];
  assert.deepEqual(ids(ordered(all, 0, "fraction")), ["c", "brand", "a", "b"]);
  assert.deepEqual(ids(ordered(all, 0, "place")), ["a", "brand", "c", "b"]);
});

test("the days of a bucket are those of the reply that is drawn, not of the next one", () => {
  const counts = { numerator: 0, denominator: 0, covered: 7, days: 7 };
  const point = { ...counts, value: null, interval: null, empty: true };
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

test("a partial bucket says of which days it is, and is drawn apart", () => {
  const timeRange = { from: "2026-01-10T00:00:00.000Z", to: "2026-02-01T00:00:00.000Z" };
  const point = (day: string, value: number | null, covered: number) => ({
    timestamp: `${day}T00:00:00.000Z`,
    value,
    numerator: 1,
    denominator: 2,
    interval: null,
    empty: value === null,
    covered,
    days: 7,
  });
  const data = [
    point("2026-01-05", 0.5, 2),
    point("2026-01-12", 0.25, 7),
    point("2026-01-19", 1, 1.5),
    point("2026-01-26", null, 0),
  ];
  const [line] = chartSeries({
    interval: "weekly",
    timeRange,
    series: [{ id: "a", name: "A", data }],
  });
  const points = line?.points ?? [];
  assert.deepEqual(points.map(isPartial), [true, false, true, false]);
  assert.deepEqual(
    points.map((each) => bucketText(each, "weekly")),
    ["10 Jan – 11 Jan 2026", "Week of 12 Jan 2026", "19 Jan – 20 Jan 2026", "Week of 26 Jan 2026"],
  );
  assert.deepEqual(points.map(partText), [["2 of 7 days"], [], ["1.5 of 7 days"], []]);
  const scales = { x: (index: number) => index, y: (value: number) => value };
  assert.equal(partialPath(points, scales), "M0 0.5 L1 0.25M1 0.25 L2 1");
});
