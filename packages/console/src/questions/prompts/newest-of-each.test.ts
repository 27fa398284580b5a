import assert from "node:assert/strict";
import { test } from "node:test";
import { newestOfEach } from "./newest-of-each.ts";

test("one answer of each provider and model, the newest, those of a provider together", () => {
  const answer = (id: number, provider: "OPENAI" | "GROK", model: string | null) => {
    return { id, provider, model };
  };
  const newest = newestOfEach([
    answer(1, "OPENAI", "b"),
    answer(2, "GROK", null),
    answer(3, "OPENAI", "a"),
    answer(4, "OPENAI", "b"),
    answer(5, "GROK", "b"),
  ]);
  assert.deepEqual(
    newest.map(({ id }) => id),
    [5, 2, 3, 1],
  );
});
