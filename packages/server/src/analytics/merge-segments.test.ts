import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { mergedAppearances, mergedCitations } from "./merge-segments.ts";
import { originOf } from "./origins.ts";
import { appearanceSegment, citationSegment } from "./prompt-index.ts";

/** An answer: of each of its rows, one number that both tables' columns are made of. */
const arbitraryAnswer = fc.record({
  prompt: fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: 12 })),
  provider: fc.nat({ max: 3 }),
  region: fc.nat({ max: 2 }),
  rows: fc.array(fc.nat({ max: 200 }), { minLength: 1, maxLength: 5 }),
});
const arbitraryPart = fc.array(arbitraryAnswer, { minLength: 1, maxLength: 60, size: "max" });
const arbitraryParts = fc.array(arbitraryPart, { minLength: 1, maxLength: 5 });

type Part = typeof arbitraryPart extends fc.Arbitrary<infer Value> ? Value : never;

/** No two answers are of one instant: none is taken for another's. */
function rowsOf(answers: Part, first: number, everyMs = 7_000_000) {
  const rows = answers.flatMap((answer, at) =>
    answer.rows.map((number) => ({ ...answer, number, at: (first + at) * everyMs })),
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
  const seen = { ofSums: 0, ofRows: 0, without: 0 };
  const everyMs = fc.constantFrom(70_000, 7_000_000);
  const property = fc.asyncProperty(arbitraryParts, everyMs, async (parts, every) => {
    let answers = 0;
    const rows = parts.map((part) => {
      const first = answers;
      answers += part.length;
      return rowsOf(part, first, every);
    });
    const together = rowsOf(parts.flat(), 0, every);
    const segments = rows.map(appearanceSegment);
    const appearances = await mergedAppearances(segments, pause);
    assert.deepEqual(appearances, appearanceSegment(together));
    if (appearances.days === null) seen.without++;
    else seen[segments.some(({ days }) => days === null) ? "ofRows" : "ofSums"]++;
    const citations = await mergedCitations(rows.map(citationSegment), pause);
    assert.deepEqual(citations, citationSegment(together));
  });
  await fc.assert(property, { numRuns: 300, seed: 20_260_101, endOnFailure: true });
  assert.ok(
    Object.values(seen).every((count) => count > 20),
    JSON.stringify(seen),
  );
});

const hourMs = 3_600_000;
const once = (rows: readonly number[]) => ({ prompt: 1, provider: 1, region: 1, rows: [...rows] });
const many = (rows: readonly number[]) => Array.from({ length: 30 }, () => once(rows));

function together(...parts: readonly ReturnType<typeof rowsOf>[]) {
  const columns = parts.reduce((one, other) => {
    const joined = Object.entries(one).map(([name, values]) => [
      name,
      [...values, ...other[name as keyof typeof other]],
    ]);
    return Object.fromEntries(joined);
  });
  return appearanceSegment(columns);
}

test("sums of few entities are added to those of more", async () => {
  const parts = [rowsOf(many([1]), 0, hourMs), rowsOf(many([1, 2, 3]), 30, hourMs)];
  const merged = await mergedAppearances(parts.map(appearanceSegment), async () => {});
  assert.deepEqual(merged, together(...parts));
  assert.equal(merged.days?.entities, 4);
});

test("segments too far apart to tell their days are merged without them", async () => {
  const parts = [rowsOf(many([1, 2, 3]), 0), rowsOf(many([1, 2, 3]), 200_000)]; // 44 years
  const merged = await mergedAppearances(parts.map(appearanceSegment), async () => {});
  assert.deepEqual(merged, together(...parts));
  assert.equal(merged.days, null);
});
