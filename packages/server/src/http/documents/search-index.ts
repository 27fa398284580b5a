import { sectionsOf } from "./markdown-to-html.ts";
import type { SourcePage } from "./source-pages.ts";

/** A section: anchor and heading, empty at the page's beginning, and each word of its text once. */
type IndexedSection = readonly [anchor: string, heading: string, words: string];

/** What the search of the pages loads. */
export interface IndexedPage {
  readonly path: string;
  readonly title: string;
  readonly sections: readonly IndexedSection[];
}

/** Words that stand in most sections, and lead nowhere. */
const common = new Set([
  ..."a an and are as at be but by can does for from has have if in is it its".split(" "),
  ..."not of on one or that the their them then they this to was what when".split(" "),
  ..."which with you your".split(" "),
]);

/** The index of a page: its words without order, a third of its text. */
export function indexedPage({ path, title, markdown }: SourcePage): IndexedPage {
  const sections = sectionsOf(markdown).map(({ heading, text }): IndexedSection => {
    const { depth, anchor } = heading;
    const words = wordsOf(text.replaceAll(/\]\([^)]*\)/g, "]"));
    return depth === 1 ? ["", "", words] : [anchor, heading.text, words];
  });
  return { path, title, sections };
}

function wordsOf(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return [...new Set(words)].filter((word) => word.length > 1 && !common.has(word)).join(" ");
}
