import {
  isNoSubstitutionTemplateLiteral,
  isStringLiteral,
  isTemplateHead,
} from "typescript/unstable/ast";
import { findInNodes, type Rule } from "./rule.ts";

const isPackage = (path: string): boolean => path.startsWith("packages/");

/** SQL may only stand where tables are owned, and where tests start engines. */
const sqlFolders =
  /^packages\/(server\/src\/(accounts|answers|collection\/store|control|facts)|test-kit\/src)\//;

/**
 * How a statement begins. In capitals, the first word and any second; in small letters, enough of
 * it that "Create a key" and "select a topic" stay prose.
 */
const sqlInCapitals =
  /^\s*(SELECT|INSERT|CREATE|UPDATE|DELETE|PRAGMA|ATTACH|ALTER|DROP|WITH)(\s+[^\s/]|\s*$)/;
const sqlInAnyCase = new RegExp(
  `^\\s*(${[
    "select\\s+(\\*|\\d|[\\s\\S]*\\sfrom\\s)",
    "insert\\s+(or\\s+\\w+\\s+)?into\\s",
    "(create|alter|drop)\\s+(or\\s+replace\\s+)?((temp|temporary|unique|virtual)\\s+)*" +
      "(table|index|view|trigger|schema|macro|sequence)\\s",
    "update\\s+\\S+\\s+set\\s",
    "delete\\s+from\\s",
    "pragma\\s+\\w",
    "attach\\s+(database\\s|')",
    "with\\s+(recursive\\s+)?\\w+\\s+as\\s*\\(",
  ].join("|")})`,
  "i",
);

/** SQL stands in the layers that own an engine, and nowhere else. */
export const sql: Rule = {
  name: "sql",
  remedy: "move the statement to the store of its capability.",
  check: (tree) =>
    findInNodes(
      tree,
      (path) => isPackage(path) && !sqlFolders.test(path),
      (node) => {
        const isText = isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node);
        if (!isText && !isTemplateHead(node)) return undefined;
        // One word in capitals is a statement's beginning only when something is put in after it.
        const word = isText && !/\s/.test(node.text.trim());
        if (word || !(sqlInCapitals.test(node.text) || sqlInAnyCase.test(node.text))) {
          return undefined;
        }
        return { message: `holds SQL: ${node.text.trim().slice(0, 40)}` };
      },
    ),
  refuses: {
    "a statement in quotes": { "packages/server/src/http/a.ts": 'run("SELECT 1");' },
    "a statement in small letters": { "packages/cli/src/a.ts": "run('select * from a');" },
    "a template": { "packages/server/src/auth/a.ts": `run(\`\n  DELETE FROM \${table}\`);` },
    "a template that puts in the rest": { "packages/cli/src/a.ts": `run(\`PRAGMA \${name}\`);` },
    "a definition": { "packages/server/src/limits/a.ts": 'run("create unique index a on b (c)");' },
    "a test": { "packages/server/src/http/a.test.ts": 'run("update a set b = 1");' },
  },
  accepts: {
    "statements in the engines' layers": {
      "packages/server/src/facts/duckdb/a.ts": 'run("SELECT 1");',
      "packages/server/src/answers/a.ts": 'run("insert into a values (1)");',
      "packages/server/src/control/a.test.ts": "run(\"ATTACH 'a'\");",
    },
    prose: {
      "packages/cli/src/a.ts":
        'say("Create a key", "select a topic", "Update the table", "DELETE", "Delete /a?");',
    },
    "a request's first line": { "packages/client/src/a.ts": `send(\`DELETE /v2/keys/\${id}\`);` },
    "a comment": { "packages/cli/src/a.ts": "// SELECT 1" },
  },
};
