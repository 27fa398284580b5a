import {
  isElementAccessExpression,
  isImportDeclaration,
  isPropertyAccessExpression,
  isVariableDeclaration,
  type Node,
  type SourceFile,
} from "typescript/unstable/ast";
import { findInNodes, type Rule } from "./rule.ts";
import { isTest, isTypeScript } from "./sources.ts";

/** Tests may read it: they pass it on to the processes that they start. */
function mayNotReadEnvironment(path: string): boolean {
  if (!path.startsWith("packages/") || isTest(path)) return false;
  return path !== "packages/server/src/config.ts" && !path.startsWith("packages/cli/src/");
}

function readsEnvironment(node: Node, file: SourceFile): boolean {
  if (isPropertyAccessExpression(node) || isElementAccessExpression(node)) {
    return /^(globalThis\.)?process\??(\.env|(\.)?\[["'`]env["'`]\])$/.test(node.getText(file));
  }
  const takesEnv = (names: Node | undefined): boolean =>
    names !== undefined && /^\{[\s\S]*\benv\b/.test(names.getText(file));
  if (isVariableDeclaration(node)) {
    return node.initializer?.getText(file) === "process" && takesEnv(node.name);
  }
  if (!isImportDeclaration(node)) return false;
  const ofProcess = /^["'](node:)?process["']$/.test(node.moduleSpecifier.getText(file));
  return ofProcess && takesEnv(node.importClause?.namedBindings);
}

const environment: Rule = {
  name: "environment",
  remedy: "make it a setting in packages/server/src/config.ts and pass the value in.",
  check: (tree) =>
    findInNodes(tree, mayNotReadEnvironment, (node, file) =>
      readsEnvironment(node, file) ? { message: "reads the environment" } : undefined,
    ),
  refuses: {
    "process.env": { "packages/server/src/http/a.ts": "const a = process.env.A;" },
    "its other spellings": { "packages/client/src/a.ts": 'const a = process["env"];' },
    "taking it apart": { "packages/server/src/main.ts": "const { env } = process;" },
    "importing it": { "packages/server/src/a.ts": 'import { env } from "node:process";' },
  },
  accepts: {
    "the configuration, the command, tests": {
      "packages/server/src/config.ts": "const a = process.env;",
      "packages/cli/src/terminal.ts": "const a = process.env.NO_COLOR;",
      "packages/server/src/main.test.ts": "spawn({ env: { ...process.env } });",
    },
    "another env": { "packages/server/src/a.ts": "const a = settings.env;" },
  },
};

const output: Rule = {
  name: "console",
  remedy: "log through platform's logger; only the command line prints.",
  check: (tree) =>
    findInNodes(
      tree,
      (path) => isTypeScript(path) && !path.startsWith("packages/cli/"),
      (node, file) => {
        if (!isPropertyAccessExpression(node)) return undefined;
        const printer = /^(globalThis\.)?console$/.test(node.expression.getText(file));
        return printer ? { message: `prints with ${node.getText(file)}` } : undefined;
      },
    ),
  refuses: { "console.log": { "packages/server/src/a.ts": "console.log(1);" } },
  accepts: {
    "the command": { "packages/cli/src/a.ts": "console.log(1);" },
    "a package called console": { "packages/console/src/a.ts": "open(a.console.log);" },
  },
};

/** What only a few files of the product may do. */
export const productBans: readonly Rule[] = [environment, output];
