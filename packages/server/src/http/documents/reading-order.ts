import type { SourcePage } from "./source-pages.ts";

/** Pages that the side bar lists together, in reading order. */
export interface PageGroup {
  /** Empty: the first page, which stands above the groups. */
  readonly title: string;
  readonly pages: readonly SourcePage[];
}

const contentsPath = "/docs/guide/README";
const codesPath = "/docs/errors/README";
const codesTitle = "Error codes";

/**
 * The pages in reading order: that of the guides' list, whose headings are the groups. The error
 * codes come last, in the order of their list. A page that no list names follows its folder's.
 */
export function readingOrder(pages: readonly SourcePage[]): readonly PageGroup[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const left = new Set(pages);
  const take = (path: string): readonly SourcePage[] => {
    const page = byPath.get(path);
    if (page === undefined || !left.delete(page)) return [];
    return [page];
  };
  const isCode = ({ path }: SourcePage) => path.startsWith("/docs/errors/");
  const contents = byPath.get(contentsPath)?.markdown ?? "";
  const first = { title: "", pages: take(contentsPath) };
  const groups = contents
    .split(/^## +/m)
    .slice(1)
    .map((part) => ({
      title: part.slice(0, part.indexOf("\n")).trim(),
      pages: linksOf(part).flatMap(take),
    }));
  const codes = linksOf(byPath.get(codesPath)?.markdown ?? "").flatMap((path) =>
    path.startsWith("/docs/errors/") ? take(path) : [],
  );
  const others = [...left];
  return [
    first,
    ...groups,
    { title: "More", pages: others.filter((page) => !isCode(page)) },
    { title: codesTitle, pages: [...codes, ...others.filter(isCode)] },
  ].filter((group) => group.pages.length > 0);
}

/** The addresses of served pages that a text links to, in order. */
function linksOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/\]\((\/docs\/[^)#\s]+)/g)].map(([, path = ""]) => path);
}
