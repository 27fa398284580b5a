import {
  isCallExpression,
  isExportDeclaration,
  isImportDeclaration,
  isImportTypeNode,
  isStringLiteral,
  type Node,
  type SourceFile,
  SyntaxKind,
} from "typescript/unstable/ast";
import { createVirtualFileSystem } from "typescript/unstable/fs";
import { API } from "typescript/unstable/sync";

/** One `import`, `export … from`, `import("…")` or type import of a module. */
export interface Import {
  readonly specifier: string;
  readonly line: number;
  /** Whether it disappears when types are stripped. */
  readonly typeOnly: boolean;
}

/**
 * The syntax of TypeScript files by path. They are parsed alone: nothing that they import is read.
 * TRICKY: TypeScript 7 marks these modules unstable. The lock file pins the version, and all use of
 * the parser that is not walking nodes is in this file.
 */
export function parse(
  files: readonly { readonly path: string; readonly text: string }[],
): ReadonlyMap<string, SourceFile> {
  // Names of a file system that exists in memory only.
  const top = "/tree";
  const configuration = `${top}/tsconfig.json`;
  const options = { noLib: true, noResolve: true, types: [], noEmit: true, jsx: "preserve" };
  const contents = Object.fromEntries(files.map((file) => [`${top}/${file.path}`, file.text]));
  contents[configuration] = JSON.stringify({
    compilerOptions: { ...options, allowImportingTsExtensions: true },
    files: files.map((file) => file.path),
  });
  const api = new API({ cwd: top, fs: createVirtualFileSystem(contents) });
  try {
    const project = api.updateSnapshot({ openProjects: [configuration] }).getProjects()[0];
    return new Map(
      files.map((file) => {
        const syntax = project?.program.getSourceFile(`${top}/${file.path}`);
        if (syntax === undefined) throw new Error(`${file.path} could not be parsed`);
        return [file.path, syntax];
      }),
    );
  } finally {
    api.close();
  }
}

/** A node and everything below it, depth first, in the order of the text. */
export function descendants(node: Node): readonly Node[] {
  const found: Node[] = [];
  const visit = (each: Node): void => {
    found.push(each);
    each.forEachChild(visit);
  };
  visit(node);
  return found;
}

/** The line, counted from 1, on which a position of a text stands. */
export function lineAt(text: string, position: number): number {
  return text.slice(0, position).split("\n").length;
}

/** What a file imports. A dynamic import with a computed name cannot be seen here. */
export function importsOf(file: SourceFile): readonly Import[] {
  return descendants(file).flatMap((node) => {
    const specifier = specifierOf(node);
    if (specifier === undefined || !isStringLiteral(specifier)) return [];
    const line = lineAt(file.text, node.getStart(file));
    return [{ specifier: specifier.text, line, typeOnly: isTypeOnly(node) }];
  });
}

function specifierOf(node: Node): Node | undefined {
  if (isImportDeclaration(node) || isExportDeclaration(node)) return node.moduleSpecifier;
  if (isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword) {
    return node.arguments[0];
  }
  if (isImportTypeNode(node)) {
    const literal: Node[] = [];
    node.argument.forEachChild((child) => literal.push(child));
    return literal[0];
  }
  return undefined;
}

function isTypeOnly(node: Node): boolean {
  if (isImportTypeNode(node)) return true;
  if (isExportDeclaration(node)) return node.isTypeOnly;
  return isImportDeclaration(node) && node.importClause?.phaseModifier === SyntaxKind.TypeKeyword;
}
