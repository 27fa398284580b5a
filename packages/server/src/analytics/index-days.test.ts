import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { bucketsOf, dayMs, dayOf } from "./buckets.ts";
import { selectPrompts, wantedPrompts } from "./index-selection.ts";
import { indexSums } from "./index-sums.ts";
import { indexWork } from "./index-work.ts";
import { type Instants, instantsOf } from "./instants.ts";
import type { Measure } from "./metric-definitions.ts";
import { originOf } from "./origins.ts";
import type { Condition, TimeSeriesPlan } from "./plan.ts";
import { type AppearanceSegment, appearanceSegment } from "./prompt-index.ts";

const days = 4;
const entities = 3;
const pause = async () => undefined;
/** Every other prompt has a topic. */
const traits = { topic: Int32Array.of(0, 1, 0, 1), branded: new Uint8Array(4) };

/** An answer of a prompt, with a row an entity, the first of which is the answer's own. */
const arbitraryAnswer = fc.record({
  prompt: fc.nat({ max: 3 }),
  hour: fc.nat({ max: days * 24 - 1 }),
  marks: fc.array(fc.nat({ max: 7 }), { minLength: entities, maxLength: entities }),
  rank: fc.nat({ max: 40 }),
});

type Answer = typeof arbitraryAnswer extends fc.Arbitrary<infer Value> ? Value : never;

function segmentOf(answers: readonly Answer[]): AppearanceSegment {
  const rows = answers.flatMap((answer, at) =>
    answer.marks.map((marks, entity) => ({ ...answer, at, marks, entity })),
  );
  return appearanceSegment({
    prompt: rows.map(({ prompt }) => prompt),
    origin: rows.map(() => originOf(0, 0)),
    answered_at: rows.map(({ hour, at }) => hour * (dayMs / 24) + at),
    entity: rows.map(({ entity }) => entity),
    marks: rows.map(({ marks }) => marks),
    rank: rows.map(({ rank, entity }) => (entity === 0 ? 0 : rank)),
  });
}

const everything: Instants = { fromMs: 0, toMs: (days + 1) * dayMs };

function planOf(
  measures: readonly Measure[],
  conditions: readonly Condition[],
  { fromMs, toMs }: Instants = everything,
): TimeSeriesPlan {
  const part = { table: "appearances", by: "answered_at", from: fromMs, to: toMs } as const;
  return {
    choice: { rollup: null, refused: [] },
    rows: { parts: [part], conditions },
    measures,
    interval: "daily",
    firstBucket: dayOf(fromMs),
    startsMs: bucketsOf("daily", fromMs, toMs).startsMs,
  };
}

async function sumsOf(segment: AppearanceSegment, plan: TimeSeriesPlan) {
  const instants = instantsOf(plan.rows.parts);
  const prompts = wantedPrompts(plan.rows.conditions, traits);
  const work = indexWork(selectPrompts([segment], prompts, instants), plan);
  return { work, sums: await indexSums(work, { plan, pause }, shapeOf(plan)) };
}

const shapeOf = ({ startsMs }: TimeSeriesPlan) => ({ entities, buckets: startsMs.length });
const arbitraryConditions = fc.constantFrom<readonly Condition[]>(
  [],
  [{ column: "topic", values: [1] }],
  [{ column: "prompt", values: [0, 3] }],
);

test("sums of days are those of their rows and of their answers", async () => {
  const seen = { few: 0, many: 0 };
  const answers = fc.array(arbitraryAnswer, { minLength: 1, maxLength: 12_000, size: "max" });
  const measures = fc.constantFrom<readonly Measure[]>(
    ["cited"],
    ["visible"],
    ["rank", "mentioned"],
  );
  const property = fc.asyncProperty(answers, arbitraryConditions, measures, async (...given) => {
    const [some, conditions, wanted] = given;
    const segment = segmentOf(some);
    const plan = planOf(wanted, conditions);
    const byRow = await sumsOf({ ...segment, days: null }, plan);
    assert.deepEqual([byRow.work.byDay, byRow.work.byAnswer], [[], []]);
    const prompts = selectPrompts([segment], wantedPrompts(conditions, traits), everything);
    const work = { byDay: [], byRow: [], byAnswer: prompts, without: [], answers: 0 };
    const byAnswer = await indexSums(work, { plan, pause }, shapeOf(plan));
    assert.deepEqual(byRow.sums, byAnswer);
    if (segment.days === null) return;
    seen[segment.days.mentioned instanceof Uint8Array ? "few" : "many"]++;
    const byDay = await sumsOf(segment, plan);
    assert.deepEqual(byDay.sums, byAnswer);
    assert.deepEqual([byDay.work.byRow, byDay.work.byAnswer], [[], []]);
  });
  await fc.assert(property, { numRuns: 60, seed: 20_260_101, endOnFailure: true });
  assert.ok(seen.few > 5 && seen.many > 5, JSON.stringify(seen));
});

const answer = (hour: number, rank = 1): Answer => ({ prompt: 1, hour, marks: [1, 1, 1], rank });

test("few rows of a day are not added up, nor what does not fit, nor days far apart", async () => {
  const thirty = Array.from({ length: 30 }, () => answer(5));
  assert.equal(segmentOf([answer(0), answer(24 * 3)]).days, null);
  assert.notEqual(segmentOf(thirty).days, null);
  assert.equal(segmentOf([...thirty, answer(5, 0xffff), answer(5, 0xffff)]).days, null);
  const far = segmentOf([...thirty, answer(24 * 10_000)]);
  assert.equal(far.days, null);
  const { work, sums } = await sumsOf(far, planOf(["mentioned"], []));
  assert.deepEqual([work.byRow, work.byAnswer.length], [[], 1]);
  assert.deepEqual(sums[0]?.[0], 30);
});

/** The sums of one measure, answer by answer. */
function plainSums(answers: readonly Answer[], measure: Measure, plan: TimeSeriesPlan) {
  const { fromMs, toMs } = instantsOf(plan.rows.parts);
  const sums = Array.from({ length: entities * plan.startsMs.length }, () => 0);
  for (const [at, { hour, marks, rank }] of answers.entries()) {
    const ms = hour * (dayMs / 24) + at;
    if (ms < fromMs || ms >= toMs) continue;
    for (const [entity, bits] of marks.entries()) {
      const place = entity * plan.startsMs.length + dayOf(ms) - plan.firstBucket;
      const ownRank = entity === 0 ? 0 : rank;
      sums[place] =
        (sums[place] ?? 0) + (measure === "rank" ? ownRank : (bits >> places[measure]) & 1);
    }
  }
  return sums;
}

const ways = ["byDay", "byAnswer", "without"] as const;
const places = { mentioned: 0, cited: 1, visible: 2 } as const;

test("a range that begins and ends anywhere has the sums of its answers", async () => {
  const seen = { byDay: 0, byAnswer: 0, without: 0 };
  const answers = fc.array(arbitraryAnswer, { minLength: 40, maxLength: 300, size: "max" });
  const ofAnswer = fc.tuple(fc.nat({ max: days * 24 }), fc.nat({ max: 300 }));
  const instant = fc.oneof(
    fc.nat({ max: days * dayMs }),
    fc.nat({ max: days }).map((day) => day * dayMs),
    ofAnswer.map(([hour, at]) => hour * (dayMs / 24) + at),
  );
  const property = fc.asyncProperty(answers, instant, instant, async (some, one, other) => {
    const plan = planOf(["rank", "visible"], [], {
      fromMs: Math.min(one, other),
      toMs: one === other ? one + 1 : Math.max(one, other),
    });
    const { work, sums } = await sumsOf(segmentOf(some), plan);
    const expected = plan.measures.map((measure) => plainSums(some, measure, plan));
    assert.deepEqual(
      sums.map((each) => [...each]),
      expected,
    );
    for (const way of ways) if (work[way].length > 0) seen[way]++;
  });
  await fc.assert(property, { numRuns: 300, seed: 20_260_101, endOnFailure: true });
  assert.ok(
    Object.values(seen).every((count) => count > 3),
    JSON.stringify(seen),
  );
});

test("a filter by provider has rows looked at, and a range that cuts a day answers", async () => {
  const segment = segmentOf(Array.from({ length: 60 }, (_, at) => answer(at % 48)));
  const openAi: Condition = { column: "provider", values: [0] };
  const byProvider = await sumsOf(segment, planOf(["mentioned"], [openAi]));
  assert.deepEqual([byProvider.work.byDay, byProvider.work.byRow.length], [[], 1]);
  const from = (fromMs: number) => planOf(["mentioned"], [], { fromMs, toMs: 2 * dayMs });
  const whole = await sumsOf(segment, from(dayMs));
  assert.deepEqual([whole.work.byDay.length, whole.work.byAnswer], [1, []]);
  assert.deepEqual([...(whole.sums[0] ?? [])], [24, 24, 24]);
  const cutDay = await sumsOf(segment, from(dayMs + 3_600_000));
  assert.deepEqual([cutDay.work.byDay.length, cutDay.work.byAnswer], [1, []]);
  assert.deepEqual(cutDay.work.without[0]?.instants, { fromMs: dayMs, toMs: dayMs + 3_600_000 });
  assert.deepEqual([...(cutDay.sums[0] ?? [])], [23, 23, 23]);
  const endsAtLast = { fromMs: segment.firstMs, toMs: segment.lastMs };
  const butLast = await sumsOf(segment, planOf(["mentioned"], [], endsAtLast));
  assert.deepEqual([...(butLast.sums[0] ?? [])], [36, 23, 36, 23, 36, 23]);
});
