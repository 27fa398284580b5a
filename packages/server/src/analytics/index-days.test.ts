import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { dayMs } from "./buckets.ts";
import { instantsOf, selectAnswers, wantedPrompts } from "./index-selection.ts";
import { indexSums, indexWork } from "./index-sums.ts";
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

function planOf(measures: readonly Measure[], conditions: readonly Condition[]): TimeSeriesPlan {
  return {
    choice: { rollup: null, refused: [] },
    rows: { parts: [{ table: "appearances", by: "day", from: 0, to: days + 1 }], conditions },
    measures,
    interval: "daily",
    firstBucket: 0,
    startsMs: Array.from({ length: days + 1 }, (_, day) => day * dayMs),
  };
}

async function sumsOf(segment: AppearanceSegment, plan: TimeSeriesPlan) {
  const instants = instantsOf(plan.rows.parts);
  const prompts = wantedPrompts(plan.rows.conditions, traits);
  const selection = selectAnswers([segment], prompts, instants);
  const work = indexWork(selection, plan, instants);
  return { work, sums: await indexSums(work, { plan, instants, pause }, shapeOf(plan)) };
}

const shapeOf = ({ startsMs }: TimeSeriesPlan) => ({ entities, buckets: startsMs.length });
const everything = { fromMs: 0, toMs: (days + 1) * dayMs };

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
    const { stretches } = selectAnswers([segment], wantedPrompts(conditions, traits), everything);
    const work = { byDay: [], byRow: [], byAnswer: stretches, answers: 0 };
    const byAnswer = await indexSums(work, { plan, instants: everything, pause }, shapeOf(plan));
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

test("a filter by provider has rows looked at, and a range that cuts a day answers", async () => {
  const segment = segmentOf(Array.from({ length: 60 }, (_, at) => answer(at % 48)));
  const byProvider = await sumsOf(
    segment,
    planOf(["mentioned"], [{ column: "provider", values: [0] }]),
  );
  assert.deepEqual([byProvider.work.byDay, byProvider.work.byRow.length], [[], 1]);
  const part = { table: "appearances", by: "answered_at", to: 2 * dayMs } as const;
  const cut = (from: number) => ({
    ...planOf(["mentioned"], []),
    rows: { parts: [{ ...part, from }], conditions: [] },
    firstBucket: 1,
    startsMs: [dayMs],
  });
  const whole = await sumsOf(segment, cut(dayMs));
  assert.deepEqual([whole.work.byDay.length, whole.work.byAnswer], [1, []]);
  assert.deepEqual([...(whole.sums[0] ?? [])], [24, 24, 24]);
  const cutDay = await sumsOf(segment, cut(dayMs + 3_600_000));
  assert.deepEqual([cutDay.work.byDay, cutDay.work.answers], [[], 60]);
  assert.deepEqual([...(cutDay.sums[0] ?? [])], [23, 23, 23]);
});
