import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { selectAnswers } from "./index-selection.ts";
import { citationSegment } from "./prompt-index.ts";

const everything = { fromMs: 0, toMs: 1_000_000 };

/** A segment with one answer of each prompt, of which one in three has a topic. */
function segmentOf(prompts: readonly number[]) {
  const zeros = prompts.map(() => 0);
  return citationSegment({
    prompt: prompts,
    topic: prompts.map((prompt) => prompt % 3),
    branded: zeros,
    provider: zeros,
    region: zeros,
    answered_at: prompts.map((_, place) => place),
    domain_number: prompts,
    url_number: prompts,
  });
}

test("the answers of the wanted prompts are selected, each once, whatever a segment has", () => {
  const some = (maxLength: number) =>
    fc.uniqueArray(fc.nat({ max: 200 }), { minLength: 1, maxLength, size: "max" });
  const property = fc.property(some(120), some(12), fc.boolean(), (prompts, wanted, hasTopic) => {
    const segment = segmentOf(prompts);
    const conditions = [
      { column: "prompt" as const, values: wanted },
      ...(hasTopic ? [{ column: "topic" as const, values: [1] }] : []),
    ];
    const { stretches, answers } = selectAnswers([segment], conditions, everything);
    const found = stretches.flatMap(({ from, to }) => [...segment.url.subarray(from, to)]);
    const expected = prompts
      .filter((prompt) => wanted.includes(prompt) && (!hasTopic || prompt % 3 === 1))
      .toSorted((one, other) => one - other);
    assert.deepEqual(found, expected);
    assert.equal(answers, expected.length);
  });
  fc.assert(property, { numRuns: 500, seed: 20_260_101 });
});
