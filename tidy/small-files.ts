import { eachImport, targetOf } from "./imports.ts";
import type { Rule } from "./rule.ts";
import { lineCount } from "./sizes.ts";
import { isTest, type Tree } from "./sources.ts";

/** So many were left when they were last counted. The number only falls. */
export const smallFilesMax = 4;
const linesMin = 80;

const ofServer = /^packages\/server\/src\/.*\.ts$/;
/** Entries of threads, vendors, and operations with their tests by status. */
const mayBeSmall = /worker\.ts$|\/vendors\/|\/routes\.ts$/;

/** The server's files below 80 lines with one importer, which are merged with it. */
export function smallFiles(tree: Tree): readonly string[] {
  const importers = new Map<string, Set<string>>();
  for (const { path, each } of eachImport(tree, (file) => !isTest(file))) {
    const target = targetOf(path, each.specifier);
    if (target.kind !== "file") continue;
    importers.set(target.path, (importers.get(target.path) ?? new Set()).add(path));
  }
  const text = new Map(tree.sources.map((source) => [source.path, source.text]));
  const exported = text.get("packages/server/package.json") ?? "";
  const hasProperties = (path: string) =>
    text.get(path.replace(/\.ts$/, ".test.ts"))?.includes('from "fast-check"') === true;
  return tree.sources.flatMap(({ path, text: own }) => {
    if (!ofServer.test(path) || isTest(path) || mayBeSmall.test(path)) return [];
    if (lineCount(own) >= linesMin || hasProperties(path)) return [];
    const isExported = exported.includes(`"./${path.slice("packages/server/".length)}"`);
    return (importers.get(path)?.size ?? 0) + Number(isExported) === 1 ? [path] : [];
  });
}

/** A file is a concept, and not what one other file needs: their number may only fall. */
export const smallFileRule: Rule = {
  name: "small-files",
  remedy:
    "merge the file with the one that imports it. When there are fewer than before, lower " +
    "smallFilesMax in tidy/small-files.ts.",
  check: (tree) => {
    const found = smallFiles(tree);
    if (found.length <= smallFilesMax) return [];
    const message = `is one of ${found.length} small files with one importer, of ${smallFilesMax}`;
    return found.map((path) => ({ path, line: 1, message }));
  },
  refuses: { "one more than before": sample(smallFilesMax + 1) },
  accepts: {
    "as many as before": sample(smallFilesMax),
    "a worker, a vendor, operations": {
      ...sample(smallFilesMax),
      "packages/server/src/main.ts":
        'import "./a-worker.ts";\nimport "./vendors/a.ts";\nimport "./a/routes.ts";',
      "packages/server/src/a-worker.ts": "",
      "packages/server/src/vendors/a.ts": "",
      "packages/server/src/a/routes.ts": "",
    },
    "two importers, or a property test": {
      ...sample(smallFilesMax),
      "packages/server/src/main.ts": 'import "./twice.ts";\nimport "./pure.ts";',
      "packages/server/src/other.ts": 'import "./twice.ts";',
      "packages/server/src/twice.ts": "",
      "packages/server/src/pure.ts": "",
      "packages/server/src/pure.test.ts": 'import fc from "fast-check";',
    },
  },
};

function sample(count: number): Readonly<Record<string, string>> {
  const names = Array.from({ length: count }, (_, index) => `small-${index}.ts`);
  return {
    "packages/server/src/all.ts": names.map((name) => `import "./${name}";`).join("\n"),
    ...Object.fromEntries(names.map((name) => [`packages/server/src/${name}`, ""])),
  };
}
