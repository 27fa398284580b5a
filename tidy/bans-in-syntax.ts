import {
  isAsExpression,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isSpreadAssignment,
  type Node,
  SyntaxKind,
} from "typescript/unstable/ast";
import { findInLines, findInNodes, type Rule } from "./rule.ts";
import { isTest, isTypeScript } from "./sources.ts";

/** No cast by way of a type that any type fits. */
export const castThroughUnknown: Rule = {
  name: "cast-through-unknown",
  remedy: "parse the value at the edge, or narrow it with a type guard.",
  check: (tree) =>
    findInNodes(tree, isTypeScript, (node) => {
      if (!isAsExpression(node)) return undefined;
      const first = withoutParentheses(node.expression);
      if (!isAsExpression(first)) return undefined;
      const { kind } = first.type;
      if (kind !== SyntaxKind.UnknownKeyword && kind !== SyntaxKind.AnyKeyword) return undefined;
      return { message: "casts twice, so that any type becomes any other" };
    }),
  refuses: {
    "as unknown as": { "a.ts": "const a = b as unknown as string;" },
    "as any as, in parts": { "a.ts": "const a = (b as any) as string;" },
  },
  accepts: { "one cast": { "a.ts": "const a = b as unknown;\n// b as unknown as string" } },
};

function withoutParentheses(node: Node): Node {
  return isParenthesizedExpression(node) ? withoutParentheses(node.expression) : node;
}

// Put together, so that this file does not hold what it looks for.
const ts = ["@", "ts"].join("");
const biome = ["bio", "me"].join("");
/** Comments that switch off the compiler, or those rules of biome that the style rests on. */
const suppression = new RegExp(
  `${ts}-(ignore|nocheck)` +
    `|${biome}-ignore\\S* lint.*(noExplicitAny|noNonNullAssertion|noFloatingPromises)`,
);
const expectedError = new RegExp(`${ts}-expect-error`);

/** A literal lists its fields; it does not spread another literal to keep its lines short. */
export const spreadLiterals: Rule = {
  name: "spread-literals",
  remedy: "list the fields of the inner literal plainly.",
  check: (tree) =>
    findInNodes(tree, isTypeScript, (node) =>
      isSpreadAssignment(node) && isObjectLiteralExpression(node.expression)
        ? { message: "spreads a literal inside a literal" }
        : undefined,
    ),
  refuses: { "a literal": { "a.ts": "const a = { ...{ b, c }, d };" } },
  accepts: {
    "a value, and fields that depend": { "a.ts": "const a = { ...b, ...(c ? { d } : {}) };" },
  },
};

/** No comment that switches off the compiler or a rule. */
export const suppressions: Rule = {
  name: "suppressions",
  remedy: "solve what the comment hides; any, ! and floating promises are not used here.",
  check: (tree) =>
    findInLines(tree, isTypeScript, (line) =>
      suppression.test(line) ? { message: "switches a rule off" } : undefined,
    ).concat(
      findInLines(
        tree,
        (path) => isTypeScript(path) && !isTest(path),
        (line) => (expectedError.test(line) ? { message: "silences the compiler" } : undefined),
      ),
    ),
  refuses: {
    "an ignored type error": { "a.ts": `// ${ts}-ignore` },
    "an expected one outside a test": { "a.ts": `// ${ts}-expect-error it is wrong` },
    "an allowed any": { "a.ts": `// ${biome}-ignore lint/suspicious/noExplicitAny: wanted` },
  },
  accepts: {
    "a test of types": { "a.test.ts": `// ${ts}-expect-error a number is refused` },
    "another rule": { "a.ts": `// ${biome}-ignore lint/style/useConst: wanted` },
  },
};
