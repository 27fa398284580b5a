import { eachImport, targetOf } from "./imports.ts";
import { layerRule } from "./layers.ts";
import type { Rule } from "./rule.ts";

/** It starts the service out of its parts. */
const testKit = "packages/test-kit";

const packageNames: Rule = {
  name: "package-names",
  remedy: "import the other package by its name (@sightline/…), and export there what is needed.",
  check: (tree) =>
    eachImport(tree, (path) => path.startsWith("packages/")).flatMap(({ path, each }) => {
      const target = targetOf(path, each.specifier);
      if (target.kind !== "file" || packageOf(target.path) === packageOf(path)) return [];
      if (packageOf(path) === testKit && packageOf(target.path) === "packages/server") return [];
      if (packageOf(target.path) === undefined) return [];
      return [{ path, line: each.line, message: `reaches into ${packageOf(target.path)}` }];
    }),
  refuses: {
    "a path into another package": {
      "packages/cli/src/a.ts": 'import { a } from "../../server/src/index.ts";',
    },
    "the same in a test": { "packages/cli/src/a.test.ts": 'import "../../server/src/a.ts";' },
  },
  accepts: {
    "a path inside the package": { "packages/cli/src/b/a.ts": 'import "../a.ts";' },
    "a package's name": { "packages/cli/src/a.ts": 'import "@sightline/server";' },
    "the test kit reaches into the server": {
      "packages/test-kit/src/a.ts": 'import "../../server/src/services.ts";',
    },
    "a test that reads the cases": {
      "packages/cli/src/a.test.ts": 'import "../../../cases/a.ts";',
    },
  },
};

/** How files may import each other. */
export const importRules: readonly Rule[] = [layerRule, packageNames];

function packageOf(path: string): string | undefined {
  return path.match(/^packages\/[^/]+/)?.[0];
}
