import { eachImport, targetOf } from "./imports.ts";
import { layerRule } from "./layers.ts";
import type { Finding, Rule } from "./rule.ts";

const packageNames: Rule = {
  name: "package-names",
  remedy: "import the other package by its name (@sightline/…), and export there what is needed.",
  check: (tree) =>
    eachImport(tree, (path) => path.startsWith("packages/")).flatMap(({ path, each }) => {
      const target = targetOf(path, each.specifier);
      if (target.kind !== "file" || packageOf(target.path) === packageOf(path)) return [];
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
    "a test that reads the cases": {
      "packages/cli/src/a.test.ts": 'import "../../../cases/a.ts";',
    },
  },
};

const cycles: Rule = {
  name: "import-cycles",
  remedy: "move what both files need into a third one that imports neither.",
  check: (tree) => {
    const graph = new Map<string, readonly string[]>();
    for (const { path, each } of eachImport(tree, () => true)) {
      const target = targetOf(path, each.specifier);
      if (target.kind === "file") graph.set(path, [...(graph.get(path) ?? []), target.path]);
    }
    return [...graph.keys()].flatMap((path) => cycleFrom(path, graph));
  },
  refuses: {
    "two files that need each other": { "a.ts": 'import "./b.ts";', "b.ts": 'import "./a.ts";' },
    "a longer way round": {
      "a.ts": 'import "./b/b.ts";',
      "b/b.ts": 'export * from "./c.ts";',
      "b/c.ts": 'import type { A } from "../a.ts";',
    },
    "a file that imports itself": { "a.ts": 'import "./a.ts";' },
  },
  accepts: {
    "two ways to one file": {
      "a.ts": 'import "./b.ts";\nimport "./c.ts";',
      "b.ts": 'import "./c.ts";',
      "c.ts": "",
    },
  },
};

/** How files may import each other. */
export const importRules: readonly Rule[] = [layerRule, packageNames, cycles];

function packageOf(path: string): string | undefined {
  return path.match(/^packages\/[^/]+/)?.[0];
}

/** The shortest way from a file back to itself, told by the first of its files alone. */
function cycleFrom(
  start: string,
  graph: ReadonlyMap<string, readonly string[]>,
): readonly Finding[] {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const path of queue) {
    for (const next of graph.get(path) ?? []) {
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, path);
      queue.push(next);
    }
  }
  if (!cameFrom.has(start)) return [];
  const cycle = [start];
  for (let at = cameFrom.get(start); at !== undefined && at !== start; at = cameFrom.get(at)) {
    cycle.unshift(at);
  }
  if (cycle.some((path) => path < start)) return [];
  return [{ path: start, line: 1, message: `imports itself: ${[start, ...cycle].join(" → ")}` }];
}
