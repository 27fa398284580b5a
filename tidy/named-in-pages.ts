import type { Finding } from "./rule.ts";
import { isTest, type Tree } from "./sources.ts";

/** The folder with one file per command. */
export const commandsFolder = "packages/cli/src/commands/";

/** A finding about a whole file. */
export const atTop = (path: string, message: string): Finding => ({ path, line: 1, message });

/** The finding for a file or folder that ought to exist. */
export const absent = (path: string, holds: string): Finding =>
  atTop(path, `does not exist yet or is empty: it holds ${holds}`);

/** The text of a file; undefined when there is none. */
export function textOf(tree: Tree, path: string): string | undefined {
  return tree.sources.find((source) => source.path === path)?.text;
}

/** Whether a text has a word that is not a part of a longer one. */
export function names(text: string, word: string): boolean {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\w@/-])${escaped}(?![\\w-]|/\\w)`).test(text);
}

/** One finding for each wanted word that a page lacks; one if there is no such page. */
export function lacking(tree: Tree, page: string, wanted: readonly string[]): readonly Finding[] {
  const text = textOf(tree, page);
  if (text === undefined) return [absent(page, `a line for each of: ${wanted.join(", ")}`)];
  return wanted.filter((word) => !names(text, word)).map((word) => atTop(page, `lacks ${word}`));
}

/** The names of the commands: the file names of the command line's folder of commands. */
export function commandNames(tree: Tree): readonly string[] {
  return [...tree.paths]
    .filter((path) => path.startsWith(commandsFolder) && path.endsWith(".ts") && !isTest(path))
    .map((path) => path.slice(commandsFolder.length, -".ts".length));
}
