import {
  isClassDeclaration,
  isExportDeclaration,
  isFunctionDeclaration,
  isInterfaceDeclaration,
  isNamedExports,
  isTypeAliasDeclaration,
  isVariableStatement,
  type Node,
  type SourceFile,
  SyntaxKind,
} from "typescript/unstable/ast";
import type { Rule } from "./rule.ts";
import { isTest } from "./sources.ts";
import { lineAt } from "./syntax.ts";

/** Every export of a package says above itself what it gives. */
export const documentedExports: Rule = {
  name: "documented-exports",
  remedy:
    "write /** … */ right above: what it gives, then what the signature cannot say (unit, order, " +
    "what null means, errors, source).",
  check: (tree) =>
    [...tree.syntax()].flatMap(([path, file]) => {
      if (!/^packages\/[^/]+\/src\//.test(path) || isTest(path)) return [];
      const exported = namesInExportLists(file);
      const seen = new Set<string>();
      return file.statements.flatMap((statement) => {
        const names = namesOf(statement, file).filter((name) => !seen.has(name));
        for (const name of names) seen.add(name); // Overloads share the first one's docstring.
        const name = isExported(statement) ? names[0] : names.find((each) => exported.has(each));
        if (name === undefined || hasDocstring(statement, file)) return [];
        const line = lineAt(file.text, statement.getStart(file));
        return [{ path, line, subject: name, message: `${name} has no docstring` }];
      });
    }),
  refuses: {
    "a function": { "packages/a/src/a.ts": "export async function a() {}" },
    "a constant": { "packages/a/src/a.ts": "/** A. */\nconst b = 1;\nexport const a = 1;" },
    "a class": { "packages/a/src/a.tsx": "export default class A {}" },
    "an interface": { "packages/a/src/a.ts": "/* A. */\nexport interface A {}" },
    "a type": { "packages/a/src/a.ts": "// A.\nexport type A = 1;" },
    "a type in index.ts": { "packages/a/src/index.ts": "export type A = 1;" },
    "what is exported in a list": { "packages/a/src/a.ts": "const a = 1;\nexport { a };" },
    "an empty docstring": { "packages/a/src/a.ts": "/** */\nexport const a = 1;" },
    "a docstring further up": { "packages/a/src/a.ts": "/** A. */\n\nexport const a = 1;" },
  },
  accepts: {
    "docstrings of one line and of several": {
      "packages/a/src/a.ts": "/** A. */\nexport const a = 1;\n\n/**\n * B.\n */\nexport class B {}",
    },
    "overloads under one docstring": {
      "packages/a/src/a.ts":
        "/** A. */\nexport function a(b: 1): 1;\nexport function a(b: 2): 2;\n" +
        "export function a(b: number) { return b; }",
    },
    "re-exports": { "packages/a/src/index.ts": 'export { a } from "./a.ts";\nexport * from "b";' },
    "what is not exported": { "packages/a/src/a.ts": "const a = 1;\nfunction b() {}" },
    "tests and other folders": {
      "packages/a/src/a.test.ts": "export const a = 1;",
      "bench/a.ts": "export const a = 1;",
    },
  },
};

function namesOf(statement: Node, file: SourceFile): readonly string[] {
  if (isVariableStatement(statement)) {
    return statement.declarationList.declarations.map((each) => each.name.getText(file));
  }
  const named =
    isFunctionDeclaration(statement) ||
    isClassDeclaration(statement) ||
    isInterfaceDeclaration(statement) ||
    isTypeAliasDeclaration(statement);
  return named ? [statement.name?.getText(file) ?? "default"] : [];
}

function isExported(statement: Node): boolean {
  const found = statement.forEachChild((child) =>
    child.kind === SyntaxKind.ExportKeyword ? true : undefined,
  );
  return found === true;
}

/** Names of this file that an `export { … }` without `from` gives away. */
function namesInExportLists(file: SourceFile): ReadonlySet<string> {
  return new Set(
    file.statements.flatMap((statement) => {
      if (!isExportDeclaration(statement) || statement.moduleSpecifier !== undefined) return [];
      const list = statement.exportClause;
      if (list === undefined || !isNamedExports(list)) return [];
      return list.elements.map((each) => (each.propertyName ?? each.name).getText(file));
    }),
  );
}

/** Whether the last thing above a statement, on the line before it, is a comment with words. */
function hasDocstring(statement: Node, file: SourceFile): boolean {
  const above = file.text.slice(statement.pos, statement.getStart(file));
  const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/[ \t]*\r?\n[ \t]*$/.exec(above)?.[1];
  return comment !== undefined && /[A-Za-z]/.test(comment);
}
