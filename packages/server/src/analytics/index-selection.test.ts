import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { answersExpected, selectPrompts, wantedPrompts } from "./index-selection.ts";
import { type IndexStretch, wantedStretches } from "./index-stretches.ts";
import type { Condition } from "./plan.ts";
import { type CitationSegment, citationSegment } from "./prompt-index.ts";

const everything = { fromMs: 0, toMs: 1_000_000 };

/** One prompt in three has this topic, and one in two is branded. */
const traits = {
  topic: Int32Array.from({ length: 201 }, (_, prompt) => prompt % 3),
  branded: Uint8Array.from({ length: 201 }, (_, prompt) => prompt % 2),
};

/** A segment with one answer of each prompt. */
function segmentOf(prompts: readonly number[]) {
  return citationSegment({
    prompt: prompts,
    origin: prompts.map(() => 0),
    answered_at: prompts.map((_, place) => place),
    domain_number: prompts,
    url_number: prompts,
  });
}

function rowsIn(stretches: Iterable<IndexStretch<CitationSegment>>): readonly number[] {
  return Array.from(stretches).flatMap(({ segment, from, to }) => [
    ...segment.url.subarray(from, to),
  ]);
}

test("the answers of the wanted prompts are selected, each once, whatever a segment has", () => {
  const some = (minLength: number, maxLength: number) =>
    fc.uniqueArray(fc.nat({ max: 200 }), { minLength, maxLength, size: "max" });
  const wanted = fc.option(some(1, 60));
  const topics = fc.option(fc.uniqueArray(fc.nat({ max: 2 }), { minLength: 1 }));
  const branded = fc.option(fc.nat({ max: 1 }));
  const property = fc.property(some(1, 200), wanted, topics, branded, (prompts, ...filters) => {
    const [some, topic, brand] = filters;
    const segment = segmentOf(prompts);
    const conditions: Condition[] = [];
    if (some !== null) conditions.push({ column: "prompt", values: some });
    if (topic !== null) conditions.push({ column: "topic", values: topic });
    if (brand !== null) conditions.push({ column: "branded", values: [brand] });
    const wanted = selectPrompts([segment], wantedPrompts(conditions, traits), everything);
    const found = rowsIn(wantedStretches(wanted, null, "rows"));
    const expected = prompts
      .filter((prompt) => some?.includes(prompt) ?? true)
      .filter((prompt) => topic?.includes(prompt % 3) ?? true)
      .filter((prompt) => (brand ?? prompt % 2) === prompt % 2)
      .toSorted((one, other) => one - other);
    assert.deepEqual(found, expected);
    const answers = wanted.reduce((sum, each) => sum + answersExpected(each), 0);
    assert.equal(answers, expected.length);
  });
  fc.assert(property, { numRuns: 1_000, seed: 20_260_101 });
});

test("of a segment that is cut about its share is looked at, and the rest passed over", () => {
  const segment = segmentOf(Array.from({ length: 160 }, (_, prompt) => prompt));
  const expected = (fromMs: number, toMs: number) =>
    selectPrompts([segment], null, { fromMs, toMs }).map(answersExpected);
  assert.deepEqual(expected(0, 160), [160]);
  assert.deepEqual(expected(40, 1_000), [120 + 40 / 8]);
  assert.deepEqual(expected(40, 80), [40 + 120 / 8]);
  assert.deepEqual(expected(160, 170), []);
});

test("of the selected prompts, the answers and rows of the wanted origins are found", () => {
  const answer = fc.record({ prompt: fc.nat({ max: 3 }), origin: fc.nat({ max: 4 }) });
  const origins = fc.uniqueArray(fc.nat({ max: 4 }), { minLength: 1 });
  const given = fc.array(answer, { minLength: 1, maxLength: 60, size: "max" });
  const property = fc.property(given, origins, fc.nat({ max: 3 }), (answers, wanted, prompt) => {
    const rows = answers.flatMap((each, number) => [
      { ...each, number },
      { ...each, number },
    ]);
    const segment = citationSegment({
      prompt: rows.map((row) => row.prompt),
      origin: rows.map((row) => row.origin),
      answered_at: rows.map(({ number }) => number),
      domain_number: rows.map(() => 0),
      url_number: rows.map(({ number }) => number),
    });
    const stretches = selectPrompts([segment], [prompt], everything);
    const isWanted = {
      passes: Uint8Array.from({ length: 5 }, (_, each) => Number(wanted.includes(each))),
      first: Math.min(...wanted),
      last: Math.max(...wanted),
    };
    const expected = rows
      .filter((row) => row.prompt === prompt && wanted.includes(row.origin))
      .map(({ number }) => number);
    const ascending = (one: number, other: number) => one - other;
    const ofRows = rowsIn(wantedStretches(stretches, isWanted, "rows"));
    assert.deepEqual(ofRows.toSorted(ascending), expected);
    const ofAnswers = [...wantedStretches(stretches, isWanted, "answers")].flatMap((stretch) => {
      const { answeredAt } = stretch.segment;
      return [...answeredAt.subarray(stretch.from, stretch.to)].flatMap((at) => [at, at]);
    });
    assert.deepEqual(ofAnswers.toSorted(ascending), expected);
  });
  fc.assert(property, { numRuns: 500, seed: 20_260_101 });
});
