import { dependenciesByPackage, eachImport, type Target, targetOf } from "./imports.ts";
import type { Rule } from "./rule.ts";
import { isTest } from "./sources.ts";
import type { Import } from "./syntax.ts";

/** The capabilities of the server on which others rest. Each may import those that follow it. */
const order = ["questions", "facts", "answers", "accounts", "people", "keys", "audit", "control"];
/** What any capability may import. */
const base = ["server/platform", "server/http", "server/extraction", "contract", "node:", "zod"];

function capability(name: string, ...more: readonly string[]): [string, readonly string[]] {
  const inner = order.slice(order.indexOf(name) + 1).map((each) => `server/${each}`);
  return [`server/${name}`, [...base, ...inner, ...more]];
}

const capabilities = [
  capability("questions"),
  capability("facts", "@duckdb/node-api", "pg"),
  capability("answers", "better-sqlite3", "csv-parse", "kysely", "pg"),
  capability("accounts", "croner", "js-yaml", "kysely"),
  capability("people", "kysely", "openid-client"),
  capability("keys", "fastify", "ioredis", "jose", "kysely"),
  capability("audit", "kysely"),
  capability("control", "kysely", "pg"),
  // It imports no other capability: each that has something to tell sends mails with it.
  ["server/mail", ["server/platform", "contract", "nodemailer"]] as [string, readonly string[]],
  // Only the composition imports these; but an account that moves takes its sweeps along, and the
  // doctor checks the pages of reports.
  capability("hooks", "kysely", "server/mail"),
  capability("collection", "croner", "kysely"),
  capability("links", "kysely", "server/reports"),
  capability("mcp", "client", "fastify", "mcp"),
  capability("operations", "kysely", "prom-client", "server/collection", "server/reports", "tar"),
  capability("pages", "marked"),
  capability("portfolio", "server/collection"),
  capability("reports", "croner", "kysely"),
];

/**
 * What each layer, which is a package or a folder of the server, may import in addition to itself:
 * layers (`type` before it: their types alone), packages (`own`: what its package.json declares),
 * single modules, and Node's. A new arrow is a line here, and its reason in docs/decisions.
 */
export const layers: Readonly<Record<string, readonly string[]>> = {
  contract: ["zod"],
  client: ["type contract"],
  // Runs in a browser. Values of the contract would bring zod along; these modules do not.
  console: [
    ...["client", "sheets", "type contract", "own"],
    ...["compared-range", "insight-sentences", "measurement-words", "period-names"].map(
      (name) => `@sightline/contract/${name}`,
    ),
    ...["periods", "providers", "spreadsheet-text", "tags"].map(
      (name) => `@sightline/contract/${name}`,
    ),
  ],
  // Runs in a browser too, and in the command.
  sheets: [
    ...["@sightline/contract/cited-urls", "@sightline/contract/nearest-name"],
    ...["@sightline/contract/providers", "@sightline/contract/quoted", "@sightline/contract/tags"],
    "hucre",
  ],
  mcp: ["client", "contract", "own", "node:"],
  "stand-in": ["contract", "zod", "node:"],
  cli: ["server", "client", "contract", "mcp", "sheets", "stand-in", "own", "node:"],
  // The composition: the files that are in no folder.
  server: [...base, "fastify", ...capabilities.map(([name]) => name)],
  "server/platform": [
    ...["contract", "node:"],
    ...["@clickhouse/client", "better-sqlite3", "pg", "pino", "prom-client"],
  ],
  "server/http": ["server/platform", "contract", "node:", "fastify", "prom-client", "zod"],
  "server/extraction": ["entities", "tldts"],
  ...Object.fromEntries(capabilities),
};

/** The layer of a file; undefined outside packages/<name>/src. */
export function layerOf(path: string): string | undefined {
  const [, name, folder] = path.match(/^packages\/([^/]+)\/src\/(?:([^/]+)\/)?/) ?? [];
  return name === "server" && folder !== undefined ? `server/${folder}` : name;
}

/** Each layer imports what the table allows it, and nothing else. */
export const layerRule: Rule = {
  name: "layers",
  remedy:
    "turn the arrow round: let the caller pass in what is needed, or move the code to the layer " +
    "that owns it. If the arrow is right, add it to tidy/layers.ts and its reason to " +
    "docs/decisions.",
  check: (tree) => {
    const own = dependenciesByPackage(tree);
    return eachImport(tree, (path) => !isTest(path)).flatMap(({ path, each }) => {
      const name = layerOf(path);
      if (name === undefined) return [];
      const allowed = layers[name]?.flatMap((one) =>
        one === "own" ? [...(own.get(name) ?? [])] : one,
      );
      if (allowed === undefined) {
        return [{ path, line: 1, message: `belongs to "${name}", which is not in tidy/layers.ts` }];
      }
      const target = targetOf(path, each.specifier);
      if (isAllowed([name, ...allowed], target, each)) return [];
      return [{ path, line: each.line, message: `${name} may not import ${each.specifier}` }];
    });
  },
  refuses: {
    "an outer layer": {
      "packages/server/src/answers/a.ts": 'import { a } from "../questions/a.ts";',
    },
    "an outer layer's type": {
      "packages/server/src/control/a.ts": 'import type { A } from "../facts/a.ts";',
    },
    "a dynamic import": { "packages/server/src/keys/a.ts": 'await import("../facts/a.ts");' },
    "a re-export": { "packages/server/src/control/a.ts": 'export * from "../keys/a.ts";' },
    "an import type": { "packages/server/src/http/a.ts": 'type A = import("../hooks/a.ts").A;' },
    "the composition": { "packages/server/src/http/a.ts": 'import "../services.ts";' },
    "the server in the client": { "packages/client/src/a.ts": 'import "@sightline/server";' },
    "a package that is not in the table": { "packages/other/src/a.ts": 'import "node:fs";' },
    "values of the contract in the client": {
      "packages/client/src/a.ts": 'import { codes } from "@sightline/contract";',
    },
    "the server in the sheets": { "packages/sheets/src/a.ts": 'import "@sightline/server";' },
    "other values of the contract in the console": {
      "packages/console/src/a.ts": 'import { codes } from "@sightline/contract";',
    },
    "an engine outside its layer": { "packages/server/src/services.ts": 'import "kysely";' },
    "a path inside a package": { "packages/server/src/http/a.ts": 'import "kysely/helpers";' },
    "a capability in what knows none": {
      "packages/server/src/http/a.ts": 'import { a } from "../keys/a.ts";',
    },
    "what nothing imports": { "packages/server/src/facts/a.ts": 'import "../hooks/a.ts";' },
    "a package that the command does not declare": {
      "packages/cli/package.json": '{ "dependencies": { "commander": "1" } }',
      "packages/cli/src/a.ts": 'import { parse } from "yaml";',
    },
    "Node in a pure layer": {
      "packages/server/src/extraction/a.ts": 'import { URL } from "node:url";',
    },
    "Node without its prefix": { "packages/contract/src/a.ts": 'import { join } from "path";' },
    "a folder that is not in the table": {
      "packages/server/src/extra/a.ts": 'import { a } from "../platform/a.ts";',
    },
    "a test's kit": { "packages/server/src/keys/a.ts": 'import "./a.test.ts";' },
  },
  accepts: {
    "an inner layer": {
      "packages/server/src/questions/evidence/a.ts": 'import "../../answers/a.ts";',
    },
    "its own layer": { "packages/server/src/control/postgres/a.ts": 'import "../leases.ts";' },
    "the contract by its name": {
      "packages/server/src/facts/a.ts": 'import { a } from "@sightline/contract";',
    },
    "types of the contract in the client": {
      "packages/client/src/a.ts": 'import type { A } from "@sightline/contract";',
    },
    "engines in their layers": {
      "packages/server/src/facts/duckdb/a.ts": 'import duckdb from "@duckdb/node-api";',
      "packages/server/src/config.ts": 'import { z } from "zod";',
    },
    "a package that the command declares": {
      "packages/cli/package.json": '{ "dependencies": { "yaml": "1" } }',
      "packages/cli/src/a.ts": 'import { parse } from "yaml";\nimport "node:fs";',
    },
    "anything in tests": {
      "packages/server/src/extraction/a.test.ts": 'import "node:fs";\nimport "../http/a.ts";',
      "packages/contract/test/kit.ts": 'import "fast-check";',
    },
    "what only looks like an import": {
      "packages/contract/src/a.ts": '// import "fs";\nconst a = \'import "fs"\';',
    },
  },
};

/** A file of tests is allowed to none. */
function isAllowed(allowed: readonly string[], target: Target, each: Import): boolean {
  if (target.kind === "node") return allowed.includes("node:");
  if (target.kind === "package") return allowed.includes(target.name);
  if (isTest(target.path)) return false;
  const to = layerOf(target.path) ?? each.specifier;
  if (allowed.includes(to) || allowed.includes(each.specifier)) return true;
  return each.typeOnly && allowed.includes(`type ${to}`);
}
