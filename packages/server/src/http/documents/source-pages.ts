import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ifThere } from "../if-there.ts";
import { titleOf } from "./markdown-to-html.ts";
import { documentSections, withServedLinks } from "./served-links.ts";

/** A page of docs/ as it was written. */
export interface SourcePage {
  /** Where it is served, such as /docs/guide/start. */
  readonly path: string;
  readonly title: string;
  /** Its links lead to what is served. */
  readonly markdown: string;
}

/** Every page below a folder that is served, by address. */
export async function readSourcePages(folder: string): Promise<readonly SourcePage[]> {
  const pages: SourcePage[] = [];
  for (const section of documentSections) {
    const files = (await ifThere(readdir(join(folder, section)))) ?? [];
    for (const file of files.filter((each) => each.endsWith(".md")).toSorted()) {
      const text = await readFile(join(folder, section, file), "utf8");
      const path = `/docs/${section}/${file.slice(0, -".md".length)}`;
      pages.push({ path, title: titleOf(text), markdown: withServedLinks(text, section) });
    }
  }
  return pages;
}
