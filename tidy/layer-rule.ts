import { dependenciesByPackage, eachImport, type Target, targetOf } from "./imports.ts";
import { type Layer, layerOf, layers } from "./layers.ts";
import type { Rule } from "./rule.ts";
import { isTest } from "./sources.ts";
import type { Import } from "./syntax.ts";

/** A layer with what the refusal of an import needs to know about it. */
interface Importer {
  readonly name: string;
  readonly layer: Layer;
  /** What its package.json declares. */
  readonly declared: ReadonlySet<string>;
}

/** Each layer imports what tidy/layers.ts allows it, and nothing else. */
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
      const layer = layers[name];
      const declared = own.get(name) ?? new Set();
      const message =
        layer === undefined
          ? `belongs to "${name}", which is not in tidy/layers.ts`
          : refusal({ name, layer, declared }, targetOf(path, each.specifier), each);
      return message === undefined ? [] : [{ path, line: each.line, message }];
    });
  },
  refuses: {
    "an outer layer": { "packages/server/src/answers/a.ts": 'import { a } from "../http/a.ts";' },
    "an outer layer's type": {
      "packages/server/src/control/a.ts": 'import type { A } from "../facts/a.ts";',
    },
    "a dynamic import": { "packages/server/src/auth/a.ts": 'await import("../facts/a.ts");' },
    "a re-export": { "packages/server/src/limits/a.ts": 'export * from "../auth/a.ts";' },
    "an import type": { "packages/server/src/limits/a.ts": 'type A = import("../http/a.ts").A;' },
    "the composition": { "packages/server/src/http/a.ts": 'import "../services.ts";' },
    "the server in the client": { "packages/client/src/a.ts": 'import "@sightline/server";' },
    "a package that is not in the table": { "packages/other/src/a.ts": 'import "node:fs";' },
    "values of the contract in the client": {
      "packages/client/src/a.ts": 'import { codes } from "@sightline/contract";',
    },
    "other values of the contract in the console": {
      "packages/console/src/a.ts": 'import { codes } from "@sightline/contract";',
    },
    "an engine outside its layer": { "packages/server/src/main.ts": 'import "kysely";' },
    "a path inside a package": { "packages/server/src/http/a.ts": 'import "kysely/helpers";' },
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
    "a test's kit": { "packages/server/src/auth/a.ts": 'import "./a.test.ts";' },
  },
  accepts: {
    "an inner layer": {
      "packages/server/src/http/routes/a/route.ts": 'import "../../../analytics/a.ts";',
    },
    "its own layer": { "packages/server/src/control/sqlite/a.ts": 'import "../port.ts";' },
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

function refusal(from: Importer, target: Target, { specifier, typeOnly }: Import) {
  const { name, layer, declared } = from;
  if (target.kind === "node") {
    return layer.node ? undefined : `${name} is pure and may not import ${specifier}`;
  }
  if (target.kind === "package") {
    const allowed = layer.packages === "own" ? declared : new Set(layer.packages);
    return allowed.has(target.name) ? undefined : `${name} may not import ${target.name}`;
  }
  if (isTest(target.path)) return `imports ${specifier}, which belongs to tests`;
  const to = layerOf(target.path);
  if (to === name || (to !== undefined && layer.imports.includes(to))) return undefined;
  if (layer.modules?.includes(specifier) === true) return undefined;
  const types = to !== undefined && layer.types?.includes(to) === true;
  if (types && typeOnly) return undefined;
  return `${name} may not import ${types ? "values of " : ""}${to ?? specifier}`;
}
