import { isFunctionLikeDeclaration, type Node, type SourceFile } from "typescript/unstable/ast";
import { findInLines, findInNodes, type Rule } from "./rule.ts";
import { isTest, isTypeScript } from "./sources.ts";
import { lineAt } from "./syntax.ts";

/** A file should stay below this; going over it is printed and does not fail. */
export const fileLinesAim = 200;
const fileLinesMax = 400;
/** Tests are lists of cases, which grow without growing harder to read. */
const testLinesMax = 600;
const functionLinesMax = 70;
const columnsMax = 100;
const parametersMax = 4;

/** How many lines a text has; a line break at its end starts no further line. */
export function lineCount(text: string): number {
  return text.replace(/\n$/, "").split("\n").length;
}

const fileSize: Rule = {
  name: "file-size",
  remedy: "split the file by concern, and name the parts after what they export.",
  check: (tree) =>
    tree.sources.flatMap(({ path, text }) => {
      if (!isTypeScript(path)) return [];
      const limit = isTest(path) ? testLinesMax : fileLinesMax;
      const size = lineCount(text);
      if (size <= limit) return [];
      return [{ path, line: 1, size, message: `has ${size} lines; the limit is ${limit}` }];
    }),
  refuses: {
    "a long file": { "a.ts": "//\n".repeat(401) },
    "a long test": { "a.test.ts": "//\n".repeat(601) },
  },
  accepts: {
    "a file at its limit": { "a.ts": "//\n".repeat(400), "a.test.ts": "//\n".repeat(600) },
    "a long text that is not code": { "a.md": "a\n".repeat(2_000) },
  },
};

const functionSize: Rule = {
  name: "function-size",
  remedy: "give a part of the function a name of its own.",
  check: (tree) =>
    findInNodes(tree, isTypeScript, (node, file) => {
      if (!isFunctionLikeDeclaration(node) || isGroupOfTests(node, file)) return undefined;
      const size = lineCount(node.getText(file));
      if (size <= functionLinesMax) return undefined;
      const subject = nameOf(node, file);
      return {
        subject,
        size,
        message: `${subject} has ${size} lines; the limit is ${functionLinesMax}`,
      };
    }),
  refuses: {
    "a long function": { "a.ts": `function f() {\n${"a();\n".repeat(69)}}` },
    "a long method": { "a.ts": `class A { m() {\n${"a();\n".repeat(69)}} }` },
    "a long test": { "a.test.ts": `test("a", () => {\n${"a();\n".repeat(69)}})` },
  },
  accepts: {
    "a function at its limit": { "a.ts": `const f = () => {\n${"a();\n".repeat(68)}};` },
    "a long group of tests": { "a.test.ts": `describe("a", () => {\n${"a();\n".repeat(90)}})` },
    "a long class of short methods": { "a.ts": `class A {\n${"m() {}\n".repeat(90)}}` },
  },
};

const parameters: Rule = {
  name: "parameters",
  remedy: "pass one object with named properties after the first four parameters.",
  check: (tree) =>
    findInNodes(tree, isTypeScript, (node, file) => {
      if (!isFunctionLikeDeclaration(node)) return undefined;
      const size = node.parameters.filter((each) => each.name.getText(file) !== "this").length;
      if (size <= parametersMax) return undefined;
      const subject = nameOf(node, file);
      return {
        subject,
        size,
        message: `${subject} takes ${size} parameters; the limit is ${parametersMax}`,
      };
    }),
  refuses: {
    "a function of five": { "a.ts": "function f(a: 1, b: 1, c: 1, d: 1, e: 1) {}" },
    "an arrow function of five": { "a.ts": "const f = (a, b, c, d, e) => 1;" },
    "a constructor of five": { "a.ts": "class A { constructor(a, b, c, d, e) {} }" },
    "a method of five": { "a.ts": "const a = { m(a, b, c, d, ...e) {} };" },
  },
  accepts: {
    "four, and an object": { "a.ts": "function f(a: 1, b: 1, c: 1, { d, e, f }: O) {}" },
    "this, which is not a parameter": { "a.ts": "function f(this: A, a: 1, b: 1, c: 1, d: 1) {}" },
    "a call of five": { "a.ts": "f(1, 2, 3, 4, 5);" },
  },
};

const lineWidth: Rule = {
  name: "line-width",
  remedy: "break the line; a text that must stay whole is an exception with its reason.",
  check: (tree) =>
    findInLines(tree, isTypeScript, (line) => {
      const size = [...line].length;
      if (size <= columnsMax) return undefined;
      const subject = line.trim().slice(0, 40);
      return { subject, size, message: `has ${size} columns; the limit is ${columnsMax}` };
    }),
  refuses: { "a wide line": { "a.ts": `// ${"a".repeat(98)}` } },
  accepts: {
    "a line at its limit": { "a.ts": `// ${"a".repeat(97)}` },
    "signs of two code units": { "a.ts": `// ${"🦊".repeat(97)}` },
    "a wide line of prose": { "a.md": "a".repeat(300) },
  },
};

/** How large files, functions, lines and parameter lists may grow. */
export const sizeRules: readonly Rule[] = [fileSize, functionSize, parameters, lineWidth];

/** A `describe` groups tests: it is a chapter, not a function to be read as one. */
function isGroupOfTests(node: Node, file: SourceFile): boolean {
  return /^(describe|suite)\(/.test(node.parent.getText(file)) && isTest(file.fileName);
}

function nameOf(node: Node, file: SourceFile): string {
  for (const each of [node, node.parent]) {
    const { name } = each as { readonly name?: Node };
    if (name !== undefined) return name.getText(file);
  }
  return `the function of line ${lineAt(file.text, node.getStart(file))}`;
}
