import assert from "node:assert/strict";
import { test } from "node:test";
import { layersOf } from "./marked-text.ts";
import { notesOf, passagesOf } from "./passages.ts";
import { richTextOf } from "./rich-text.ts";

/** The words that each citation stands behind. */
function behind(text: string, ...parts: readonly string[]): readonly string[] {
  const spans = parts.map((part) => [text.indexOf(part), text.indexOf(part) + part.length]);
  const citations = spans.map((span) => ({ spans: [span] }));
  return passagesOf(text, citations).map(({ start, end }) => text.slice(start, end));
}

test("a passage is what the provider marks, or the sentence before a mark alone", () => {
  const link = "([acme.example](https://acme.example/a?utm_source=openai))";
  const list = "- Next 【7†source】";
  const text = `First it is. Acme is **good**. ${link} Globex e.g. costs 3.5 [2].\n${list}`;
  assert.deepEqual(behind(text, "Acme is **good**."), ["Acme is **good**."]);
  assert.deepEqual(behind(text, link), [`Acme is **good**. ${link}`]);
  assert.deepEqual(behind(text, "【7†source】"), [list]);
  const two = "Yes. Acme wins [1][2].";
  assert.deepEqual(behind(two, "[1]", "[2]"), ["Acme wins [1]", "Acme wins [1][2]"]);
  assert.deepEqual(behind("[1] Acme", "[1]"), ["[1]"]);
});

test("spans outside the text are left out, and hostile ones are read", () => {
  const spans = [[], [-1, 2], [3, 3], [5, 2], [0, 9], [0, 3]];
  assert.deepEqual(passagesOf("Acme", [{ spans }]), [{ citation: 0, start: 0, end: 3 }]);
  for (const piece of ["[", "[a](", "【", "a. ", ". ", "](", "https://"]) {
    const text = piece.repeat(4_000 / piece.length);
    const many = Array.from({ length: 1_000 }, (_, at) => [at * 4, at * 4 + 1]);
    assert.equal(passagesOf(text, [{ spans: many }]).length, 1_000, piece);
  }
});

test("numbers stand behind the last words of a passage, and after a link", () => {
  const text = "Acme **wins**. [Globex](https://g.example) too.";
  const spans = ["Acme **wins**", "wins", "[Globex](https://g.example)", "too"].map((part) => [
    [text.indexOf(part), text.indexOf(part) + part.length],
  ]);
  const passages = passagesOf(
    text,
    spans.map((each) => ({ spans: each })),
  );
  const layers = layersOf(text, [], passages);
  const nodes = richTextOf(text, layers) ?? [];
  const notes = [...notesOf(nodes, layers, passages)].map(([key, citations]) => [
    typeof key === "number" ? text.slice(key).split(/\W/)[0] : key.href,
    citations,
  ]);
  assert.deepEqual(notes, [
    ["wins", [1, 0]],
    ["https://g.example/", [2]],
    ["too", [3]],
  ]);
});
