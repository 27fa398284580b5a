import assert from "node:assert/strict";
import { test } from "node:test";
import { PromptIndex, promptOfLine } from "./prompt-index.ts";

const prompt = (id: string, text: string, retired = false) => ({ id, text, retired });

test("a text leads to its active prompt, else to its only retired one", () => {
  const index = new PromptIndex([
    prompt("1", "a"),
    prompt("2", "a", true),
    prompt("3", "b", true),
    prompt("4", "c", true),
    prompt("5", "c", true),
  ]);
  const ids = ["a", "b", "c", "d"].map((text) => index.idOf(text));
  assert.deepEqual(ids, ["1", "3", null, undefined]);
  assert.deepEqual(
    ["2", "6"].map((id) => index.textOf(id)),
    ["a", undefined],
  );
});

test("a text of several active prompts leads to none, and is not said to be retired", () => {
  const index = new PromptIndex([prompt("1", "a"), prompt("2", "a")]);
  const line = { provider: "OPENAI", answeredAt: "2026-10-01T08:00:00Z", prompt: "a" } as const;
  const message = '"a" is the text of several prompts. Give promptId.';
  assert.deepEqual(promptOfLine(line, index), { path: "/prompt", code: "not_allowed", message });
});

test("the nearest text differs in case, spaces, or in one place", () => {
  const texts = ["What is the best anvil?", "Where to store anvils?", "Anvil"];
  const index = new PromptIndex(texts.map((text, place) => prompt(String(place), text)));
  const cases: readonly (readonly [given: string, nearest: string | null])[] = [
    ["what is the best anvil?", "What is the best anvil?"],
    [" What is the best anvil? ", "What is the best anvil?"],
    ["What is the best anvil", "What is the best anvil?"],
    ["What's the best anvil?", "What is the best anvil?"],
    ["Where to store an anvil?", "Where to store anvils?"],
    ["Who makes anvils?", null],
    ["", null],
  ];
  for (const [given, nearest] of cases) assert.equal(index.nearest(given), nearest, given);
});

test("the nearest text is searched for a hundred unknown texts, and then no more", () => {
  const index = new PromptIndex([prompt("1", "What is the best anvil?")]);
  const found = Array.from({ length: 200 }, (_, place) =>
    index.nearest(`What is the best anvil? ${place}`),
  );
  assert.equal(found.filter((text) => text !== null).length, 100);
  assert.notEqual(index.nearest("What is the best anvil? 1"), null, "what was found is kept");
});
