import {
  isCallExpression,
  isIdentifier,
  isImportDeclaration,
  isNewExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  type Node,
  type SourceFile,
} from "typescript/unstable/ast";
import { findInNodes, type Rule } from "./rule.ts";
import { isTest, isTypeScript } from "./sources.ts";
import { descendants } from "./syntax.ts";

const switches = /^(skip|only|todo)$/;
const starters = /^(test|it|describe|suite)$/;

/** Biome sees test.skip and test.only; this sees other ways to the same. */
const skippedTests: Rule = {
  name: "skipped-tests",
  remedy: "make the test run everywhere and pass, or delete it.",
  check: (tree) =>
    findInNodes(tree, isTest, (node, file) => {
      const how = switchedOff(node, file);
      return how === undefined ? undefined : { message: `switches tests off with ${how}` };
    }),
  refuses: {
    "a planned test": { "a.test.ts": 'it.todo("a");' },
    "a test that skips itself": { "a.test.ts": 'test("a", (context) => context.skip("why"));' },
    "a skip in the options": { "a.test.ts": 'test("a", { skip: !engine }, () => {});' },
  },
  accepts: {
    "other things of these names": {
      "a.test.ts": 'test("a", () => { run({ only: 1 }); assert.equal(a.skip, 2); });',
      "a.ts": "a.skip(1);",
    },
  },
};

function switchedOff(node: Node, file: SourceFile): string | undefined {
  if (isCallExpression(node) && isPropertyAccessExpression(node.expression)) {
    const name = node.expression.name.getText(file);
    const isSeenByBiome = starters.test(node.expression.expression.getText(file)); // not todo
    return name === "todo" || (name === "skip" && !isSeenByBiome) ? `.${name}()` : undefined;
  }
  if (!isPropertyAssignment(node) || !switches.test(node.name.getText(file))) return undefined;
  const call = node.parent.parent;
  const starts = isCallExpression(call) && starters.test(call.expression.getText(file));
  return starts ? `{ ${node.name.getText(file)} }` : undefined;
}

const sleepingTests: Rule = {
  name: "sleeping-tests",
  remedy: "hold the clock in the test, or wait for the event itself.",
  check: (tree) =>
    findInNodes(tree, isTest, (node, file) =>
      sleeps(node, file) ? { message: "waits for time to pass" } : undefined,
    ),
  refuses: {
    "a sleep": { "a.test.ts": "await new Promise((done) => setTimeout(done, 10));" },
    "a sleep with a name": { "test/a.ts": "const rest = () => new Promise((r) => setTimeout(r));" },
    "Node's sleep": { "a.test.ts": 'import { setTimeout } from "node:timers/promises";' },
    "a blocking sleep": { "a.test.ts": "Atomics.wait(cells, 0, 0, 10);" },
  },
  accepts: {
    "a promise of an event": { "a.test.ts": "await new Promise((done) => server.close(done));" },
    "a clock that the test holds": { "a.test.ts": "clock.setTimeout(done, 10);" },
    "a sleep in the product": { "a.ts": "await new Promise((done) => setTimeout(done, 10));" },
  },
};

function sleeps(node: Node, file: SourceFile): boolean {
  if (isImportDeclaration(node)) {
    return /timers\/promises["']$/.test(node.moduleSpecifier.getText(file));
  }
  if (isCallExpression(node)) return node.expression.getText(file) === "Atomics.wait";
  if (!isNewExpression(node) || node.expression.getText(file) !== "Promise") return false;
  return descendants(node).some((each) => isIdentifier(each) && each.text === "setTimeout");
}

const assertingTests: Rule = {
  name: "asserting-tests",
  remedy: "assert what the file promises to test, by comparing whole values.",
  check: (tree) =>
    [...tree.syntax()].flatMap(([path, file]) => {
      if (!/\.test\.tsx?$/.test(path) || !isTypeScript(path)) return [];
      const asserts = descendants(file).some(
        (node) =>
          isCallExpression(node) &&
          /(^|\.)(assert|expect)[A-Za-z]*(\.[A-Za-z]+)*$/.test(node.expression.getText(file)),
      );
      return asserts ? [] : [{ path, line: 1, message: "asserts nothing" }];
    }),
  refuses: {
    "a test that only runs": { "a.test.ts": 'test("a", () => { run(); });' },
    "an assertion in a comment": { "a.test.ts": 'test("a", () => {}); // assert.ok(1)' },
    "an empty file": { "a.test.ts": "" },
  },
  accepts: {
    "each way to assert": {
      "a.test.ts": "assert.deepEqual(a, b);",
      "b.test.ts": "assert(a);",
      "c.test.ts": "fc.assert(property);",
      "d.test.ts": "assertRule(rule);",
      "e.test.ts": "context.assert.equal(a, b);",
    },
    "a test's kit": { "test/kit.ts": "run();" },
  },
};

/** What a plain test may not import. */
const costly = [
  /^node:child_process$/,
  /\/test\/(test-service|shared-sample|sample-account|command|browser)\.ts$/,
  /\/test\/engines\/(clickhouse|postgres|redis)-/,
];

const testKinds: Rule = {
  name: "test-kinds",
  remedy: "name the file after what its tests start: CONTRIBUTING, Tests.",
  check: (tree) =>
    findInNodes(
      tree,
      (path) => /^packages\/(?:.*\/)?[^/.]+(\.properties)?\.test\.ts$/.test(path),
      (node, file) => {
        if (!isImportDeclaration(node)) return undefined;
        const from = node.moduleSpecifier.getText(file).slice(1, -1);
        const isType = /^import\s+type\s/.test(node.getText(file));
        const costs = !isType && costly.some((each) => each.test(from));
        return costs ? { message: `is a plain test with ${from}` } : undefined;
      },
    ),
  refuses: {
    "a service": { "packages/a/src/a.test.ts": 'import { b } from "../test/test-service.ts";' },
    "a process": { "packages/a/src/a.test.ts": 'import { spawn } from "node:child_process";' },
    "an engine": {
      "packages/a/src/a.test.ts": 'import { b } from "../../test/engines/redis-database.ts";',
    },
  },
  accepts: {
    "a kind in the name": {
      "packages/a/src/a.service.test.ts": 'import { b } from "../test/test-service.ts";',
    },
    types: { "packages/a/src/a.test.ts": 'import type { B } from "../test/test-service.ts";' },
    "a test of a rule": { "tidy/a.test.ts": 'import { spawn } from "node:child_process";' },
  },
};

/** What tests may not do. */
export const testBans: readonly Rule[] = [skippedTests, sleepingTests, assertingTests, testKinds];
