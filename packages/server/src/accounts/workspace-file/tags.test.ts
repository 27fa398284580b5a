import assert from "node:assert/strict";
import { test } from "node:test";
import { readWorkspaceFile, WorkspaceFileError } from "./read-workspace-file.ts";

/** Each fault of a file's prompts as "line: path: message". */
function faultsOf(...prompts: readonly string[]): readonly string[] {
  try {
    readWorkspaceFile(["account: Acme", "brand: Acme", "prompts:", ...prompts, ""].join("\n"));
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
