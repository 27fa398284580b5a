import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The repository's root folder. */
export const root = join(import.meta.dirname, "../../../..");

/** A fenced block of a page. */
export interface Block {
  /** Path of the page, from the repository's root. */
  readonly page: string;
  /** Line of the opening fence. */
  readonly line: number;
  /** The first word after the fence; empty when there is none. */
  readonly language: string;
  readonly text: string;
}

/** A page with its blocks, in order. */
export interface Page {
  readonly path: string;
  readonly blocks: readonly Block[];
}

/** Every page whose snippets are run: the README, all of docs/, the packages' own. */
export function readPages(): readonly Page[] {
  const paths = globSync(["README.md", "docs/**/*.md", "packages/*/README.md"], { cwd: root });
  return paths.toSorted().map((path) => {
    const text = readFileSync(join(root, path), "utf8");
    return { path, blocks: blocksOf(path, text) };
  });
}

/** The fenced blocks of a Markdown text; one inside a list loses the list's indentation. */
function blocksOf(page: string, text: string): readonly Block[] {
  const found = text.matchAll(/^([ ]*)(`{3,})([^\n`]*)\n([\s\S]*?)^[ ]*\2`*[ ]*$/gm);
  return [...found].map((match) => {
    const [, indent = "", , information = "", body = ""] = match;
    return {
      page,
      line: text.slice(0, match.index).split("\n").length,
      language: information.trim().split(/\s/)[0] ?? "",
      text: body.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    };
  });
}

/** How a failure names a block. */
export function nameOf({ page, line, language }: Block): string {
  return `${page}:${line} (${language || "no language"})`;
}
