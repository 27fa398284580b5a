import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { SourceFile } from "typescript/unstable/ast";
import { parse } from "./syntax.ts";

/** One text file of the repository. `path` is relative to its root, with forward slashes. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** What a rule judges: the files of the repository, or of a sample. */
export interface Tree {
  /** Every file, binary ones included. */
  readonly paths: ReadonlySet<string>;
  /** Every text file, in the order of the paths. */
  readonly sources: readonly Source[];
  /** The syntax of every TypeScript file, by path. The first call parses all of them. */
  syntax(): ReadonlyMap<string, SourceFile>;
  /** What the module at `path` exports; undefined when there is no such file. */
  load(path: string): Promise<Readonly<Record<string, unknown>> | undefined>;
}

/** Files of a sample by path: a text, or an object that stands for what a module exports. */
export type Sample = Readonly<Record<string, string | Readonly<Record<string, unknown>>>>;

/** The repository's root folder. */
export const root: string = join(import.meta.dirname, "..");

/** A folder that holds test kits: everything below it counts as a test. */
const testFolder = /(^|\/)(test|packages\/test-kit)\//;

/** Whether a path is a test or a test's kit: `*.test.ts`, or below a folder named `test`. */
export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || testFolder.test(path);
}

/** Whether a path is TypeScript. */
export function isTypeScript(path: string): boolean {
  return /\.(ts|tsx|mts)$/.test(path);
}

/** Tracked files and untracked ones that git does not ignore, read once. */
export function repository(): Tree {
  const listing = execFileSync("git", ["ls-files", "-coz", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  // A tracked file that was deleted is still listed until the deletion is staged.
  const listed = [...new Set(listing.split("\0"))].filter((path) => path !== "");
  const isFile = (path: string): boolean =>
    statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true;
  const paths = listed.filter(isFile).sort();
  const sources = paths
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))
    .filter((source) => !source.text.includes("\0"));
  return treeOf(paths, sources, (path) => import(pathToFileURL(join(root, path)).href));
}

/** A tree of a few files given as text, for a rule's own test. */
export function sampleTree(sample: Sample): Tree {
  const sources = Object.entries(sample).flatMap(([path, content]) =>
    typeof content === "string" ? [{ path, text: content }] : [],
  );
  return treeOf(Object.keys(sample), sources, async (path) => {
    const content = sample[path];
    return typeof content === "object" ? content : {};
  });
}

function treeOf(
  paths: readonly string[],
  sources: readonly Source[],
  load: (path: string) => Promise<Readonly<Record<string, unknown>>>,
): Tree {
  const set = new Set(paths);
  let parsed: ReadonlyMap<string, SourceFile> | undefined;
  return {
    paths: set,
    sources,
    syntax: () => {
      parsed ??= parse(sources.filter((source) => isTypeScript(source.path)));
      return parsed;
    },
    load: async (path) => (set.has(path) ? load(path) : undefined),
  };
}
