import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { mergedAppearances, mergedCitations } from "./merge-segments.ts";
import { originOf } from "./origins.ts";
import { appearanceSegment, citationSegment } from "./prompt-index.ts";

/** An answer: of each of its rows, one number that both tables' columns are made of. */
const arbitraryAnswer = fc.record({
  prompt: fc.nat({ max: 12 }),
  provider: fc.nat({ max: 3 }),
  region: fc.nat({ max: 2 }),
  rows: fc.array(fc.nat({ max: 200 }), { minLength: 1, maxLength: 5 }),
});
const arbitraryPart = fc.array(arbitraryAnswer, { minLength: 1, maxLength: 60, size: "max" });
const arbitraryParts = fc.array(arbitraryPart, { minLength: 1, maxLength: 5 });

type Part = typeof arbitraryPart extends fc.Arbitrary<infer Value> ? Value : never;

/** No two answers are of one instant: none is taken for another's. */
function rowsOf(answers: Part, first: number) {
  const rows = answers.flatMap((answer, at) =>
    answer.rows.map((number) => ({ ...answer, number, at: (first + at) * 7_000_000 })),
  );
  return {
    prompt: rows.map(({ prompt }) => prompt),
    origin: rows.map(({ provider, region }) => originOf(provider, region)),
    answered_at: rows.map(({ at }) => at),
    entity: rows.map(({ number }) => number % 4),
    marks: rows.map(({ number }) => number % 8),
    rank: rows.map(({ number }) => number),
    domain_number: rows.map(({ number }) => number % 50),
    url_number: rows.map(({ number }) => number),
  };
}

test("segments that are merged are what their rows give together", async () => {
  const pause = async () => undefined;
  const property = fc.asyncProperty(arbitraryParts, async (parts) => {
    let answers = 0;
    const rows = parts.map((part) => {
      const first = answers;
      answers += part.length;
      return rowsOf(part, first);
    });
    const together = rowsOf(parts.flat(), 0);
    const appearances = await mergedAppearances(rows.map(appearanceSegment), pause);
    assert.deepEqual(appearances, appearanceSegment(together));
    const citations = await mergedCitations(rows.map(citationSegment), pause);
    assert.deepEqual(citations, citationSegment(together));
  });
  await fc.assert(property, { numRuns: 300, seed: 20_260_101, endOnFailure: true });
});

test("segments too far apart to tell their days are merged without them", async () => {
  const answer = { prompt: 1, provider: 1, region: 1, rows: [1, 2, 3] };
  const [early, late] = [rowsOf([answer], 0), rowsOf([answer], 200_000)]; // 44 years
  const together = appearanceSegment({
    prompt: [...early.prompt, ...late.prompt],
    origin: [...early.origin, ...late.origin],
    answered_at: [...early.answered_at, ...late.answered_at],
    entity: [...early.entity, ...late.entity],
    marks: [...early.marks, ...late.marks],
    rank: [...early.rank, ...late.rank],
  });
  const merged = await mergedAppearances([early, late].map(appearanceSegment), async () => {});
  assert.deepEqual(merged, together);
  assert.equal(merged.days, null);
});
