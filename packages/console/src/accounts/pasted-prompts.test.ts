import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { pastedPrompts } from "./pasted-prompts.ts";

/** What is read of a text: "prompt | topic". */
function read(text: string, known: readonly string[] = []): readonly string[] {
  return pastedPrompts(text, { known }).prompts.map(
    ({ text: prompt, topic }) => `${prompt} | ${topic ?? "-"}`,
  );
}

const two = ["What is a good tent? | Tents", "Which stove, if any? | Stoves"];

test("a list has a prompt on each line, with its commas and semicolons", () => {
  const text = "What is a good tent, for two?\r\n\n  Which stove; which fuel?  \nTents\n";
  assert.deepEqual(read(text), [
    "What is a good tent, for two? | -",
    "Which stove; which fuel? | -",
    "Tents | -",
  ]);
});

test("two columns of a spreadsheet are prompt and topic, in either order", () => {
  assert.deepEqual(read("What is a good tent?\tTents\nWhich stove, if any?\tStoves"), two);
  assert.deepEqual(read("Tents\tWhat is a good tent?\nStoves\tWhich stove, if any?\n"), two);
  assert.deepEqual(read("Tents\tgood tents for two\nTents\tlight tents\nStoves\tgas stoves"), [
    "good tents for two | Tents",
    "light tents | Tents",
    "gas stoves | Stoves",
  ]);
  assert.deepEqual(read("What is a good tent?\tTents\nWhich stove?\t\nWhich mug?"), [
    "What is a good tent? | Tents",
    "Which stove? | -",
    "Which mug? | -",
  ]);
});

test("a row that names the columns says which is which, and adds no prompt", () => {
  assert.deepEqual(read("Topic\tPrompt\nWhy?\tTents\nWhat?\tStoves"), [
    "Tents | Why?",
    "Stoves | What?",
  ]);
  assert.deepEqual(read("Frage;Thema\nWas ist ein Zelt?;Zelte\n"), ["Was ist ein Zelt? | Zelte"]);
  assert.deepEqual(read("Prompts\nWhat is a good tent?"), ["What is a good tent? | -"]);
  assert.deepEqual(read("No.\tQuestion\tOwner\n1\tWhat is a good tent?\tAnn"), [
    "What is a good tent? | -",
  ]);
});

test("CSV has quotes: separators, quotes and line ends within them are text", () => {
  const csv = 'prompt,topic\n"Which stove, if any?",Stoves\n"The ""best"" tent\nfor two?",Tents\n';
  assert.deepEqual(read(csv), [
    "Which stove, if any? | Stoves",
    'The "best" tent for two? | Tents',
  ]);
  assert.deepEqual(read('"Which stove, if any?","Stoves"\n"What is a tent?","Tents"'), [
    "Which stove, if any? | Stoves",
    "What is a tent? | Tents",
  ]);
  assert.deepEqual(read('"Best" tent or "light" tent?\tTents'), [
    '"Best" tent or "light" tent? | Tents',
  ]);
  assert.deepEqual(read('"Best", they say: which tent is it?'), [
    '"Best", they say: which tent is it? | -',
  ]);
});

test("numbers and bullets before each prompt go, and those of some stay", () => {
  const expected = ["What is a good tent? | -", "Which stove? | -"];
  for (const text of [
    "1. What is a good tent?\n2. Which stove?",
    "1) What is a good tent?\n3) Which stove?",
    "(1) What is a good tent?\n(2) Which stove?",
    "- What is a good tent?\n- Which stove?",
    "• What is a good tent?\n• Which stove?",
  ]) {
    assert.deepEqual(read(text), expected, text);
    assert.equal(pastedPrompts(text).hasNumbering, true);
  }
  const numbered = "1. What is a good tent?\tTents\n2. Which stove, if any?\tStoves";
  assert.deepEqual(read(numbered), two);
  assert.deepEqual(read("1\tWhat is a good tent?\tTents\n2\tWhich stove, if any?\tStoves"), two);
  for (const text of ["1. FC Acme tickets?\nWhich stove?", "3D printers?\n4K screens?"]) {
    assert.deepEqual(
      read(text),
      text.split("\n").map((line) => `${line} | -`),
    );
  }
  const again = "1. FC Acme?\n1. FC Globex?";
  assert.deepEqual(read(again), ["1. FC Acme? | -", "1. FC Globex? | -"]);
});

test("what stands twice or is tracked is counted and left out", () => {
  const text = "What is a good tent?\twide\nwhat is a  good tent?\tnarrow\nWhich mug?\t\n\tTents\n";
  const { prompts, repeated, unusable, width } = pastedPrompts(text, { known: ["Which mug?"] });
  assert.deepEqual(prompts, [{ text: "What is a good tent?", topic: "wide" }]);
  assert.deepEqual([repeated, unusable, width], [2, 1, 2]);
  assert.equal(pastedPrompts("x".repeat(20_001)).unusable, 1);
  assert.deepEqual(read(""), []);
});

test("a person may choose the columns", () => {
  const text = "What is a good tent?\tTents\tAnn\nWhich stove?\tStoves\tBen";
  const columns = { prompt: 1, topic: 2 };
  assert.deepEqual(pastedPrompts(text, { columns }).prompts, [
    { text: "Tents", topic: "Ann" },
    { text: "Stoves", topic: "Ben" },
  ]);
  const { sample, width } = pastedPrompts(text);
  assert.deepEqual([sample[0], width], [["What is a good tent?", "Tents", "Ann"], 3]);
});

const word = fc.stringMatching(/^[a-zäß]{1,8}$/);
const question = fc.array(word, { minLength: 3, maxLength: 9 }).map((all) => `${all.join(" ")}?`);

test("rows of any spreadsheet come back as they were, whichever column is first", () => {
  const row = fc.record({ text: question, topic: word }, { noNullPrototype: true });
  const rows = fc.uniqueArray(row, { selector: ({ text }) => text, minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(rows, fc.boolean(), (given, isTopicFirst) => {
      const text = given
        .map((each) =>
          (isTopicFirst ? [each.topic, each.text] : [each.text, each.topic]).join("\t"),
        )
        .join("\n");
      assert.deepEqual(pastedPrompts(text).prompts, given);
    }),
  );
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (text) => {
      const { prompts } = pastedPrompts(text);
      assert.ok(prompts.every((each) => each.text !== "" && !/[\t\n]/.test(each.text)));
    }),
  );
});
