import assert from "node:assert/strict";
import { test } from "node:test";
import { type Prompt, promptsIn } from "./prompt-summaries.ts";

test("prompts whose part is not there are not among those without answers", () => {
  const prompts = Array.from({ length: 20_001 }, (_, index): Prompt => {
    return { id: String(index), text: `Prompt ${index}`, topicId: null, branded: false };
  });
  const part = { groups: [], empty: null };
  const counts = [0, 1, 2, 3].map((parts) => promptsIn(prompts, Array(parts).fill(part)).length);
  assert.deepEqual(counts, [0, 10_000, 20_000, 20_001]);
});
