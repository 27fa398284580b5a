import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { selectAnswers, wantedPrompts } from "./index-selection.ts";
import type { Condition } from "./plan.ts";
import { citationSegment } from "./prompt-index.ts";

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
    const selection = selectAnswers([segment], wantedPrompts(conditions, traits), everything);
    const { stretches, answers } = selection;
    const found = stretches.flatMap(({ from, to }) => [...segment.url.subarray(from, to)]);
    const expected = prompts
      .filter((prompt) => some?.includes(prompt) ?? true)
      .filter((prompt) => topic?.includes(prompt % 3) ?? true)
      .filter((prompt) => (brand ?? prompt % 2) === prompt % 2)
      .toSorted((one, other) => one - other);
    assert.deepEqual(found, expected);
    assert.equal(answers, expected.length);
    for (const stretch of stretches) {
      const { promptStart } = segment;
      const { from, to, fromPrompt, toPrompt } = stretch;
      assert.deepEqual([promptStart[fromPrompt], promptStart[toPrompt]], [from, to]);
    }
  });
  fc.assert(property, { numRuns: 1_000, seed: 20_260_101 });
});
