import assert from "node:assert/strict";
import { test } from "node:test";
import { foldedAspect } from "@sightline/contract";
import fc from "fast-check";
import { verifiedReply } from "../../extraction/index.ts";
import { readWorkspaceFile, WorkspaceFileError } from "./read-workspace-file.ts";

/** Each fault of a file's prompts as "line: path: message". */
const faultsOf = (...prompts: readonly string[]) => faultsIn("prompts:", prompts);

/** Each fault of a list of a file. */
function faultsIn(list: string, items: readonly string[]): readonly string[] {
  try {
    readWorkspaceFile(["account: Acme", "brand: Acme", list, ...items, ""].join("\n"));
  } catch (error) {
    assert.ok(error instanceof WorkspaceFileError, String(error));
    return error.faults.map(({ line, path, message }) => `${line}: ${path}: ${message}`);
  }
  return [];
}

test("a tag has one spelling, and a prompt has it once", () => {
  const found = faultsOf(
    "  - { text: a, tags: [Buying, buying] }",
    "  - { text: b, tags: [Buying, 'new  home'] }",
    "  - { text: c, tags: [buyinɢ, BUYING] }",
    "  - { text: d, tags: ['New Home ', ﬁt, fit] }",
  );
  const spelling = "Use one spelling.";
  assert.deepEqual(found, [
    '4: /prompts/0/tags/1: "buying" is already a tag of this prompt.',
    `6: /prompts/2/tags/1: "BUYING" is written "Buying" at /prompts/0/tags/0. ${spelling}`,
    `7: /prompts/3/tags/0: "New Home " is written "new  home" at /prompts/1/tags/1. ${spelling}`,
    '7: /prompts/3/tags/2: "fit" is already a tag of this prompt.',
  ]);
  const tags = (count: number) => Array.from({ length: count }, (_, place) => `t${place}`);
  const one = (of: readonly string[]) => faultsOf(`- { text: a, tags: [${of}] }`);
  assert.deepEqual(one(tags(20)), []);
  assert.equal(one(tags(21)).length, 1);
  assert.deepEqual(one(["x".repeat(100)]), []);
  assert.equal(one(["x".repeat(101)]).length, 1);
  const many = tags(1_001).map((tag) => `  - { text: ${tag}, tags: [${tag}] }`);
  assert.deepEqual(faultsOf(...many.slice(1)), []);
  assert.deepEqual(faultsOf(...many), [
    "3: /prompts: The prompts must have at most 1000 different tags, got 1001.",
  ]);
});

test("a fact has an aspect, a value and perhaps a day, and nothing else", () => {
  const found = faultsIn("facts:", [
    "  - { aspect: 'what it costs!', value: $19 }",
    "  - { aspect: price, value: ' ', until: 2027-02-31 }",
    "  - { aspect: price, value: $19, from: 2027-01-01 }",
  ]);
  assert.deepEqual(found, [
    "4: /facts/0/aspect: must be one or two words of letters, such as price, with at most 40 " +
      'characters, got "what it costs!".',
    "5: /facts/1/value: must be a non-empty text.",
    '5: /facts/1/until: must be a date such as 2026-01-31, got "2027-02-31".',
    '6: /facts/2/from: "from" is not a known field. Known fields: aspect, value, until.',
  ]);
  const many = Array.from({ length: 201 }, (_, place) => `  - { aspect: a${place}, value: b }`);
  assert.deepEqual(faultsIn("facts:", many.slice(1)), []);
  assert.equal(faultsIn("facts:", many).length, 1);
});

test("of the facts of an aspect one holds on a day", () => {
  const found = faultsIn("facts:", [
    "  - { aspect: price, value: $19 }",
    "  - { aspect: price, value: $19, until: 2027-01-01 }",
    "  - { aspect: PRICE, value: $24 }",
    "  - { aspect: price, value: $29, until: 2027-01-01 }",
  ]);
  const remedy = "Give one of them another `until`.";
  assert.deepEqual(found, [
    `6: /facts/2: /facts/0 is about "price" too, and has no end either. ${remedy}`,
    `7: /facts/3: /facts/1 is about "price" too, and ends on 2027-01-01 too. ${remedy}`,
  ]);
});

test("an aspect of a fact is in the form in which aspects of findings are counted", () => {
  const word = fc.constantFrom(
    "Price",
    "ＰＲＩＣＥ",
    " ",
    "&",
    "é",
    "e\u0301",
    "価格",
    "'",
    "!",
    "x".repeat(20),
  );
  const places = [{ entity: 0, start: 0, end: 4 }];
  const names = new Map([["Acme", 0]]);
  const aspects = fc.array(word, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.oneof(aspects, fc.string({ unit: "binary" })), (aspect) => {
      const finding = { entity: "Acme", kind: "claim", aspect, quote: "is slow" };
      const reply = JSON.stringify({ findings: [finding] });
      const read = verifiedReply(reply, { text: "Acme is slow.", places, names });
      assert.equal(read?.findings[0]?.aspect ?? null, foldedAspect(aspect));
    }),
  );
});
