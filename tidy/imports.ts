import { builtinModules } from "node:module";
import { dirname, join } from "node:path/posix";
import type { Tree } from "./sources.ts";
import { type Import, importsOf } from "./syntax.ts";

/** Where an import leads: a file of this repository, a package of it, Node, or a third party. */
export type Target =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "workspace"; readonly path: string }
  | { readonly kind: "node" }
  | { readonly kind: "package"; readonly name: string };

const ownScope = "@sightline/";

/** Resolves a specifier as it is written in the file at `from`. */
export function targetOf(from: string, specifier: string): Target {
  if (specifier.startsWith(".")) return { kind: "file", path: join(dirname(from), specifier) };
  const segments = specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1);
  const name = segments.join("/");
  if (name.startsWith(ownScope)) {
    return { kind: "workspace", path: `packages/${name.slice(ownScope.length)}/src/index.ts` };
  }
  if (name.startsWith("node:") || builtinModules.includes(name)) return { kind: "node" };
  return { kind: "package", name };
}

/** Every import of the files whose path applies. */
export function eachImport(
  tree: Tree,
  applies: (path: string) => boolean,
): readonly { readonly path: string; readonly each: Import }[] {
  return [...tree.syntax()].flatMap(([path, file]) =>
    applies(path) ? importsOf(file).map((each) => ({ path, each })) : [],
  );
}

/** The names that each package.json below packages/ depends on (not for development), by folder. */
export function dependenciesByPackage(tree: Tree): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    tree.sources.flatMap(({ path, text }) => {
      const folder = path.match(/^packages\/([^/]+)\/package\.json$/)?.[1];
      if (folder === undefined) return [];
      const { dependencies = {} } = JSON.parse(text) as { dependencies?: object };
      return [[folder, new Set(Object.keys(dependencies))] as const];
    }),
  );
}
