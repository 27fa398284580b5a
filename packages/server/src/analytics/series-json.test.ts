import assert from "node:assert/strict";
import { test } from "node:test";
import { instantOf, intervals, type TimeSeriesRequest } from "@sightline/contract";
import fc from "fast-check";
import { timeSeriesQuestion } from "./question.ts";
import type { SeriesFacts } from "./series.ts";
import { timeSeriesBytesMost, timeSeriesJson } from "./series-json.ts";

type Metric = "mentions" | "rank";

/** The reply, written without a pause. */
function written(...asked: Parameters<typeof timeSeriesJson>): Buffer {
  const work = timeSeriesJson(...asked);
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** The reply as the interface says it, written with JSON.stringify. */
function plainJson(metric: Metric, request: TimeSeriesRequest, { entities, sums }: SeriesFacts) {
  const { interval, filters } = request;
  const { startsMs } = timeSeriesQuestion(metric, request).buckets;
  const [numerators, mentions] = sums;
  const value = (entity: number, bucket: number) => {
    const place = entity * startsMs.length + bucket;
    const denominator = metric === "rank" ? mentions?.[place] : numerators?.[bucket];
    return denominator ? (numerators?.[place] ?? 0) / denominator : null;
  };
  const series = entities.map(({ id, name }, entity) => ({
    id,
    name,
    data: startsMs.map((startMs, bucket) => ({
      timestamp: new Date(startMs).toISOString(),
      value: value(entity + 1, bucket),
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
    fc.constantFrom<Metric>("mentions", "rank"),
    arbitraryRequest,
    fc.record({
      entities: fc.array(arbitraryEntity, { maxLength: 5 }),
      gaps: arbitraryGaps,
      counts: fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 9 }),
    }),
    (metric, request, { entities, ...counted }) => {
      const question = timeSeriesQuestion(metric, request);
      const buckets = question.buckets.startsMs.length;
      const sums = sumsOf(metric, buckets, { ...counted, entities: entities.length });
      const facts = { entities, sums, used };
      const reply = written(request, question, facts);
      const plain = plainJson(metric, request, facts);
      assert.equal(reply.toString(), plain);
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
  const counts = [3, 7, 11, 1e15];
  const sums = sumsOf("rank", buckets, { entities: 50, gaps: new Array(4_000).fill(0), counts });
  const work = timeSeriesJson(request, question, { entities, sums, used });
  let [pauses, step] = [0, work.next()];
  for (; step.done !== true; step = work.next()) pauses++;
  assert.equal(pauses, 50);
  const reply = step.value;
  assert.equal(JSON.parse(reply.toString()).series.length, 50);
  assert.ok(reply.length > 9_000_000, `${reply.length} bytes`);
  assert.ok(reply.length < timeSeriesBytesMost(question, 50), `${reply.length} bytes`);
});
