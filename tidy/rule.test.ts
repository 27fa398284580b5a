import assert from "node:assert/strict";
import { test } from "node:test";
import { exceptions } from "./exceptions.ts";
import { findInLines, judge } from "./rule.ts";
import { allRules } from "./rules.ts";
import { repository, sampleTree } from "./sources.ts";

const rule = { name: "file-size" };
const finding = { path: "a.ts", line: 7, message: "is long", subject: "f", size: 500 };
const exception = { rule: "file-size", path: "a.ts", reason: "a table" };

test("a finding without an exception is a fault with its place", () => {
  assert.deepEqual(judge(rule, [finding], []), ["a.ts:7 is long"]);
});

test("an exception excuses its own rule, file and subject", () => {
  assert.deepEqual(judge(rule, [finding], [exception]), []);
  assert.deepEqual(judge(rule, [finding], [{ ...exception, subject: "f" }]), []);
  assert.equal(judge(rule, [finding], [{ ...exception, subject: "g" }]).length, 2);
  assert.equal(judge(rule, [finding], [{ ...exception, path: "b.ts" }]).length, 2);
  assert.equal(judge(rule, [finding], [{ ...exception, rule: "other" }]).length, 1);
});

test("an exception with a limit does not excuse what is beyond it", () => {
  assert.deepEqual(judge(rule, [finding], [{ ...exception, atMost: 500 }]), []);
  assert.equal(judge(rule, [finding], [{ ...exception, atMost: 499 }]).length, 1);
});

test("an exception that is no longer needed is a fault", () => {
  assert.deepEqual(judge(rule, [], [exception]), [
    "a.ts is fine now: take it out of tidy/exceptions.ts",
  ]);
});

test("lines are counted from 1", () => {
  const tree = sampleTree({ "a.md": "one\ntwo", "b.md": "two" });
  const found = findInLines(
    tree,
    (path) => path === "a.md",
    (line) => (line === "two" ? { message: "two" } : undefined),
  );
  assert.deepEqual(found, [{ path: "a.md", line: 2, message: "two" }]);
});

test("every exception names a rule and gives a reason", () => {
  const names = new Set(allRules.map((each) => each.name));
  for (const each of exceptions) {
    assert.ok(names.has(each.rule), `tidy/exceptions.ts names no rule: ${each.rule}`);
    assert.ok(each.reason.length >= 10, `${each.rule} ${each.path}: say why`);
  }
});

test("every rule has its own name, samples of both kinds, and a row in tidy/README.md", () => {
  assert.equal(new Set(allRules.map((each) => each.name)).size, allRules.length);
  const tree = repository();
  const readme = tree.sources.find(({ path }) => path === "tidy/README.md")?.text ?? "";
  const rows = [...readme.matchAll(/^\| `([a-z-]+)` /gm)].map(([, name]) => name);
  assert.deepEqual(rows.toSorted(), allRules.map((each) => each.name).toSorted());
  for (const each of allRules) {
    assert.ok(Object.keys(each.refuses).length > 0, `${each.name} has no sample that it refuses`);
    assert.ok(Object.keys(each.accepts).length > 0, `${each.name} has no sample that it accepts`);
  }
});

test("the repository is listed with its own files and without those that git ignores", () => {
  const { paths } = repository();
  assert.ok(paths.has("tidy/rule.test.ts"));
  assert.ok([...paths].every((path) => !path.startsWith("node_modules/")));
});
