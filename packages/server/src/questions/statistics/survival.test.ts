import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Lives, survivalOf } from "./survival.ts";

const ended = (days: number, count = 1): Lives => ({ days, ended: count, censored: 0 });
const censored = (days: number, count = 1): Lives => ({ days, ended: 0, censored: count });

const close = (actual: number | undefined, wanted: number) =>
  assert.ok(Math.abs((actual ?? Number.NaN) - wanted) < 5e-4, `${actual} is not ${wanted}`);

test("a curve by hand: 10 lives, of which 2, 3 and 1 end", () => {
  // S(1) = 8/10. One is censored on day 2. S(3) = 8/10 · 4/7. S(5) = that · 2/3.
  const lives = [ended(1, 2), censored(2), ended(3, 3), censored(4), ended(5), censored(9, 2)];
  const { medianDays, after, lives: all, ended: gone } = survivalOf(lives);
  assert.deepEqual([all, gone, medianDays], [10, 6, 3]);
  const values = [0, 1, 2, 3, 4, 5, 9].map((days) => after(days).value);
  const [second, third] = [0.8 * (4 / 7), 0.8 * (4 / 7) * (2 / 3)];
  assert.deepEqual(values, [1, 0.8, 0.8, second, second, third, third]);
  assert.deepEqual(after(10), { value: null, interval: null });
  // Greenwood: 2/(10·8) = .025; √.025/|log .8| = .708566; .8^exp(±1.959964·.708566).
  const { low, high } = after(1).interval ?? { low: 0, high: 0 };
  close(low, 0.8 ** Math.exp(1.959964 * 0.708566));
  close(high, 0.8 ** Math.exp(-1.959964 * 0.708566));
});

test("the remissions under 6-MP of Freireich and others (1963), as R's survival has them", () => {
  const lives = [
    ...[ended(6, 3), ended(7), ended(10), ended(13), ended(16), ended(22), ended(23)],
    ...[6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35].map((days) => censored(days)),
  ];
  const { after, medianDays, medianInterval } = survivalOf(lives);
  const wanted = [
    [6, 0.857, 0.62, 0.952],
    [7, 0.807, 0.563, 0.923],
    [10, 0.753, 0.503, 0.889],
    [13, 0.69, 0.432, 0.849],
    [16, 0.627, 0.368, 0.805],
    [22, 0.538, 0.268, 0.747],
    [23, 0.448, 0.188, 0.68],
  ] as const;
  for (const [days, value, low, high] of wanted) {
    const step = after(days);
    close(step.value ?? Number.NaN, value);
    close(step.interval?.low, low);
    close(step.interval?.high, high);
  }
  assert.deepEqual([medianDays, medianInterval], [23, { low: 13, high: null }]);
});

test("nothing, nobody gone, and all gone", () => {
  const nothing = survivalOf([]);
  assert.deepEqual(
    [nothing.medianDays, nothing.medianInterval, nothing.after(0).value],
    [null, null, null],
  );
  const staying = survivalOf([censored(30, 5)]);
  assert.deepEqual([staying.medianDays, staying.after(28)], [null, { value: 1, interval: null }]);
  const gone = survivalOf([ended(2, 5)]);
  assert.deepEqual([gone.medianDays, gone.after(28)], [2, { value: 0, interval: null }]);
});

test("curves fall, hold their intervals, and forget the order of lives", () => {
  const arbitrary = fc.record({
    days: fc.nat({ max: 60 }),
    ended: fc.nat({ max: 5 }),
    censored: fc.nat({ max: 5 }),
  });
  fc.assert(
    fc.property(fc.array(arbitrary, { maxLength: 30 }), (lives) => {
      const { after } = survivalOf(lives);
      let before = 1;
      for (let days = 0; days <= 60; days += 1) {
        const { value, interval } = after(days);
        assert.ok(value === null || value <= before);
        before = value ?? 0;
        if (interval === null || value === null) continue;
        assert.ok(interval.low <= value && value <= interval.high);
        assert.ok(interval.low >= 0 && interval.high <= 1);
      }
      assert.deepEqual(survivalOf(lives.toReversed()).after(28), after(28));
    }),
  );
});
