import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sentencesOf, statementAt, statementsOf } from "./statements.ts";

const wordsOf = (text: string): readonly string[] =>
  sentencesOf(text).map(({ start, end }) => text.slice(start, end));

/** The sentences with the citations behind them, for spans that are these parts of the text. */
function behind(text: string, ...parts: readonly string[]) {
  const citations = parts.map((part) => {
    const start = text.indexOf(part);
    return { spans: [[start, start + part.length] as const] };
  });
  return statementsOf(sentencesOf(text), citations, 2_000).map(({ start, end, citations: own }) => [
    text.slice(start, end),
    own,
  ]);
}

test("a sentence ends at a stop or a line, and has the links and marks after it", () => {
  assert.deepEqual(wordsOf("Take Acme, e.g. its 3.5 kg anvil! It lasts.\n- Globex\n\n1. Rope"), [
    "Take Acme, e.g. its 3.5 kg anvil!",
    "It lasts.",
    "- Globex",
    "1. Rope",
  ]);
  const link = "([a. B](https://a.example/a?b=c.))";
  assert.deepEqual(wordsOf(`It lasts. ${link} Globex is cheap [2]. 【7†source】\n[3]`), [
    `It lasts. ${link}`,
    "Globex is cheap [2]. 【7†source】\n[3]",
  ]);
  assert.deepEqual(wordsOf("良い。安い！"), ["良い。", "安い！"]);
  assert.deepEqual(wordsOf("\n---\n"), []);
});

test("a span is a passage, a part of a sentence, or the mark alone after it", () => {
  const text = "Acme lasts. It is cheap. [1] Globex is not. Nor is rope. [2][3]";
  assert.deepEqual(behind(text, "lasts. It is", "[1]", "[2]", "[3]"), [
    ["Acme lasts.", [0]],
    ["It is cheap. [1]", [0, 1]],
    ["Nor is rope. [2][3]", [2, 3]],
  ]);
});

test("words have the pages of their sentence, and none without a span", () => {
  const text = "Acme is good. [1] Globex is not.";
  const sentences = sentencesOf(text);
  const statements = statementsOf(sentences, [{ spans: [[14, 17]] }, {}], 2_000);
  const at = (word: string) => {
    const start = text.indexOf(word);
    const found = statementAt(sentences, statements, { start, end: start + word.length });
    return [text.slice(found.start, found.end), found.citations];
  };
  assert.deepEqual(at("good"), ["Acme is good. [1]", [0]]);
  assert.deepEqual(at("not"), ["Globex is not.", []]);
  assert.deepEqual(statementAt([], [], { start: 1, end: 2 }), { start: 1, end: 2, citations: [] });
});

test("of any text sentences are in order, disjoint and without space around them", () => {
  const piece = fc.constantFrom(
    "Acme",
    ". ",
    "\n",
    "[1]",
    "](",
    "[",
    "。",
    "!",
    " ",
    "e.g. a",
    "|",
  );
  const texts = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(texts, fc.nat(99), fc.nat(99), (text, one, other) => {
      const sentences = sentencesOf(text);
      let free = 0;
      for (const { start, end } of sentences) {
        assert.ok(start >= free && end > start && end <= text.length);
        assert.equal(text.slice(start, end).trim(), text.slice(start, end));
        free = end;
      }
      const [start, end] = [Math.min(one, other), Math.max(one, other) + 1];
      const statements = statementsOf(sentences, [{ spans: [[start, end]] }], 2_000);
      for (const each of statements) assert.ok(each.start < end && each.end > start);
    }),
  );
});

test("hostile texts and spans are bounded", () => {
  for (const piece of ["[", "[a](", "【", "a. ", ". ", ".)", "](", "https://", "。"]) {
    const text = piece.repeat(100_000 / piece.length);
    const spans = Array.from({ length: 2_000 }, () => [0, text.length] as const);
    const statements = statementsOf(sentencesOf(text), [{ spans }, { spans }], 2_000);
    const pairs = statements.reduce((sum, { citations }) => sum + citations.length, 0);
    assert.ok(pairs <= 2_000, piece);
  }
});
