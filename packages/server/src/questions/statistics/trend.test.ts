import assert from "node:assert/strict";
import { test } from "node:test";
import { trendOf } from "./change.ts";
import type { Cluster } from "./moments.ts";
import { close, numbers } from "./vectors.ts";

const prompts = ["1 2 2 3 4", "0 0 1 1 1", "5 6 6 7 7", "2 1 3 3 4", "0 1 0 2 1", "3 3 4 4 6"]
  .concat("7 6 7 7 7")
  .map(numbers);
const windows = [0, 1, 2, 3, 4].map(
  (week) =>
    new Map(
      prompts.map((hits, prompt): [number, Cluster] => [
        prompt,
        { numerator: hits[week] ?? 0, denominator: 7 },
      ]),
    ),
);

test("a trend over five weeks", () => {
  const trend = trendOf(windows);
  close(trend?.slope, 0.0653061224);
  close(trend?.p, 0.015625);
  const t = 2.4469118511;
  close(((trend?.interval?.high ?? 0) - (trend?.slope ?? 0)) / t, 0.0124138011, 9);
  assert.equal(trend?.effectivePrompts, 7);
});

test("fewer weeks show no trend, and prompts count that all weeks have", () => {
  assert.equal(trendOf(windows.slice(1)), null);
  const missing = windows.map((window, week) =>
    week === 2 ? new Map([...window].slice(1)) : window,
  );
  const six = trendOf(missing);
  assert.equal(six?.effectivePrompts, 6);
  const apart = windows.map((window, week) => new Map([...window].slice(week, week + 1)));
  assert.equal(trendOf(apart), null);
  const five = trendOf(windows.map((window) => new Map([...window].slice(0, 5))));
  assert.deepEqual([five?.effectivePrompts, five?.p, five?.interval], [5, null, null]);
});
