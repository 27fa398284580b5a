import assert from "node:assert/strict";
import { test } from "node:test";
import { type Interval, instantOf, intervals, type TimeSeriesRequest } from "@sightline/contract";
import fc from "fast-check";
import { bucketDays, bucketsOf } from "../facts/plan/buckets.ts";
import { timeSeriesQuestion } from "../facts/plan/question.ts";
import type { SeriesFacts } from "../facts/plan/series.ts";
import { type SeriesReply, timeSeriesBytesMax, timeSeriesJson } from "./series.ts";

type Metric = "mentions" | "rank";

/** Nothing in addition. */
const none = { measured: null, marks: null };

/** The reply, written without a pause. */
function written(...asked: Parameters<typeof timeSeriesJson>): Buffer {
  const work = timeSeriesJson(...asked);
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** The reply as it is described, written with JSON.stringify as a whole. */
function plainJson(
  { request, question, points }: SeriesReply,
  { entities, sums, lastMs }: SeriesFacts,
) {
  const { interval, filters } = request;
  const { metric, buckets, selection } = question;
  const { startsMs } = buckets;
  const [numerators, mentions] = sums;
  const days = bucketDays(buckets, selection, lastMs);
  const pointOf = (entity: number, bucket: number) => {
    const place = entity * startsMs.length + bucket;
    const answers = (metric === "rank" ? mentions?.[bucket] : numerators?.[bucket]) ?? 0;
    const numerator = numerators?.[place] ?? 0;
    const denominator = metric === "rank" ? (mentions?.[place] ?? 0) : answers;
    const value = denominator > 0 ? numerator / denominator : null;
    if (points === "values") return { value };
    const own = { value, numerator, denominator, interval: null, empty: answers === 0 };
    return { ...own, ...days[bucket] };
  };
  const series = entities.map(({ id, name }, entity) => ({
    id,
    name,
    data: startsMs.map((startMs, bucket) => ({
      timestamp: new Date(startMs).toISOString(),
      ...pointOf(entity + 1, bucket),
    })),
  }));
  return JSON.stringify({ interval, timeRange: filters.timeRange, series });
}

const dayMs = 86_400_000;
const lastDay = 2_932_896; // 9999-12-31, counted from 1970-01-01

/** Ranges of up to 4,000 buckets, the first days of the year 0 and the last of 9999 included. */
const arbitraryRequest = fc
  .record({
    interval: fc.constantFrom(...intervals),
    firstDay: fc.oneof(
      fc.integer({ min: 18_000, max: 22_000 }),
      fc.integer({ min: -719_528, max: lastDay - 1 }),
      fc.constant(-719_528),
    ),
    days: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 4_000 })),
  })
  .map(({ interval, firstDay, days }): TimeSeriesRequest => {
    const timeOf = (day: number) => new Date(day * dayMs).toISOString().replace(/\.000Z$/, "Z");
    const timeRange = { from: timeOf(firstDay), to: timeOf(Math.min(firstDay + days, lastDay)) };
    return { interval, filters: { timeRange } };
  })
  .filter(({ filters: { timeRange } }) => instantOf(timeRange.from) !== null);

/** How many points there are in a row before something was counted again. */
const arbitraryGaps = fc.array(fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 400 })), {
  minLength: 1,
  maxLength: 60,
});

interface Counted {
  readonly entities: number;
  readonly gaps: readonly number[];
  readonly counts: readonly number[];
}

/** Sums of some buckets, and nothing in the others. */
function sumsOf(metric: Metric, buckets: number, { entities, gaps, counts }: Counted) {
  const answers = new Float64Array((entities + 1) * buckets);
  const mentions = new Float64Array(answers.length);
  let next = 0;
  for (const [each, gap] of gaps.entries()) {
    next += gap + 1;
    if (next > buckets) break;
    for (let entity = 0; entity <= entities; entity++) {
      const place = entity * buckets + next - 1;
      answers[place] = counts[(each + entity) % counts.length] ?? 0;
      mentions[place] = counts[(each + 3 * entity) % counts.length] ?? 0;
    }
  }
  return metric === "rank" ? [answers, mentions] : [answers];
}

const arbitraryEntity = fc.record({ id: fc.uuid(), name: fc.string({ unit: "grapheme" }) });

const used: SeriesFacts["used"] = { name: "daily", refused: [] };

test("the reply is what JSON.stringify makes of it, byte for byte", () => {
  const property = fc.property(
    fc.record({
      metric: fc.constantFrom<Metric>("mentions", "rank"),
      points: fc.constantFrom<SeriesReply["points"]>("values", "counts"),
    }),
    arbitraryRequest,
    fc.record({
      entities: fc.array(arbitraryEntity, { maxLength: 5 }),
      gaps: arbitraryGaps,
      counts: fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 9 }),
    }),
    ({ metric, points }, request, { entities, ...counted }) => {
      const question = timeSeriesQuestion(metric, request);
      const buckets = question.buckets.startsMs.length;
      const sums = sumsOf(metric, buckets, { ...counted, entities: entities.length });
      const facts = { entities, sums, spread: null, lastMs: Number.MAX_SAFE_INTEGER, used };
      const made = { request, question, points };
      assert.equal(written(made, facts, none).toString(), plainJson(made, facts));
      const nothing = { ...facts, sums: [] };
      assert.equal(written(made, nothing, none).toString(), plainJson(made, nothing));
    },
  );
  fc.assert(property, { numRuns: 300, seed: 20_260_101, endOnFailure: true });
});

test("a reply is paused after each series, and takes no more than was said before", () => {
  const timeRange = { from: "2020-01-01T00:00:00Z", to: "2030-01-01T00:00:00Z" };
  const request: TimeSeriesRequest = { interval: "daily", filters: { timeRange } };
  const question = timeSeriesQuestion("rank", request);
  const entities = Array.from({ length: 50 }, (_, each) => ({ id: `${each}`, name: "Brand" }));
  const buckets = question.buckets.startsMs.length;
  const counts = [3, 7, 11, 1e9];
  const sums = sumsOf("rank", buckets, { entities: 50, gaps: new Array(4_000).fill(0), counts });
  for (const points of ["values", "counts"] as const) {
    const facts = { entities, sums, spread: null, lastMs: Number.MAX_SAFE_INTEGER, used };
    const work = timeSeriesJson({ request, question, points }, facts, none);
    let [pauses, step] = [0, work.next()];
    for (; step.done !== true; step = work.next()) pauses++;
    assert.equal(pauses, 50);
    const { length } = step.value;
    assert.ok(length > 9_000_000, `${length} bytes`);
    assert.ok(length < timeSeriesBytesMax({ request, question, points }, 50), `${length} bytes`);
  }
});

test("how many days of a bucket the range and the answers cover", () => {
  const shown = (interval: Interval, range: readonly [string, string], last: string | null) => {
    const [fromMs, toMs] = range.map((text) => Date.parse(text)) as [number, number];
    const lastMs = last === null ? null : Date.parse(last);
    const days = bucketDays(bucketsOf(interval, fromMs, toMs), { fromMs, toMs }, lastMs);
    return days.map((each) => `${each.covered}/${each.days}`).join(" ");
  };
  const range = ["2026-01-09", "2026-02-03"] as const;
  assert.equal(shown("weekly", range, "2026-03-01"), "3/7 7/7 7/7 7/7 1/7");
  assert.equal(shown("monthly", range, "2026-03-01"), "23/31 2/28");
  // The day of the last answer counts in full, and nothing after it.
  assert.equal(shown("weekly", range, "2026-01-21T08:00:00Z"), "3/7 7/7 3/7 0/7 0/7");
  assert.equal(shown("weekly", range, "2026-01-01"), "0/7 0/7 0/7 0/7 0/7");
  assert.equal(shown("monthly", range, null), "0/31 0/28");
  const noon = ["2026-01-09T12:00:00Z", "2026-01-10T06:00:00Z"] as const;
  assert.equal(shown("daily", noon, "2026-03-01"), "0.5/1 0.25/1");
  assert.equal(shown("monthly", ["2028-02-01", "2028-03-01"], "2030-01-01"), "29/29");
});
