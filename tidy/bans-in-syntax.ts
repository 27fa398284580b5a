import {
  isAsExpression,
  isDecorator,
  isEnumDeclaration,
  isImportEqualsDeclaration,
  isModuleDeclaration,
  isParameterDeclaration,
  isParenthesizedExpression,
  type Node,
  SyntaxKind,
} from "typescript/unstable/ast";
import { findInLines, findInNodes, type Rule } from "./rule.ts";
import { isTest, isTypeScript } from "./sources.ts";

const castThroughUnknown: Rule = {
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

const erasableSyntax: Rule = {
  name: "erasable-syntax",
  remedy: "use a union of literals, a module, or a function: Node only strips types.",
  check: (tree) =>
    findInNodes(tree, isTypeScript, (node) => {
      const what = syntaxThatRuns(node);
      return what === undefined ? undefined : { message: `has ${what}` };
    }),
  refuses: {
    "an enum": { "a.ts": "enum A { B }" },
    "a const enum": { "a.ts": "export const enum A { B }" },
    "a namespace": { "a.ts": "namespace A { export const b = 1; }" },
    "a decorator": { "a.ts": "@a class A {}" },
    "a parameter property": { "a.ts": "class A { constructor(private readonly b: 1) {} }" },
    "an import by assignment": { "a.ts": 'import a = require("a");' },
  },
  accepts: {
    "words in types and texts": { "a.ts": 'const a = "enum A {}"; type B = { namespace: 1 };' },
    "a declaration that adds to a package's types": {
      "a.ts": 'declare module "fastify" { interface A { readonly b: 1 } }',
    },
    "a private property": { "a.ts": "class A { private b = 1; readonly c = 2; }" },
  },
};

/** What a node is, if stripping its types would not leave plain JavaScript. */
function syntaxThatRuns(node: Node): string | undefined {
  if (isEnumDeclaration(node)) return "an enum";
  if (isDecorator(node)) return "a decorator";
  if (isImportEqualsDeclaration(node)) return "an import by assignment";
  if (isModuleDeclaration(node)) {
    const ambient = node.modifiers?.some((each) => each.kind === SyntaxKind.DeclareKeyword);
    return ambient === true ? undefined : "a namespace";
  }
  if (isParameterDeclaration(node) && (node.modifiers?.length ?? 0) > 0) {
    return "a parameter property";
  }
  return undefined;
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

const suppressions: Rule = {
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

/** What the language may not be used for. */
export const syntaxBans: readonly Rule[] = [castThroughUnknown, erasableSyntax, suppressions];
