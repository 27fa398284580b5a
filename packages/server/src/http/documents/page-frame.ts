import { escaped, type Heading } from "./markdown-to-html.ts";
import { icons } from "./page-icons.ts";
import type { PageGroup } from "./reading-order.ts";

/** The addresses of what every page loads. */
export interface FramePaths {
  readonly style: string;
  readonly icon: string;
  /** Sets the theme before the first paint. */
  readonly theme: string;
  readonly script: string;
  /** The index of the search. */
  readonly index: string;
}

/** What the frame of every page shows. */
export interface Frame {
  readonly paths: FramePaths;
  /** Whether the service's address is the console. */
  readonly hasConsole: boolean;
}

/** A whole page. */
export interface FramedPage {
  readonly title: string;
  /** The area of the bar that the page is in. */
  readonly area: "guides" | "api" | "none";
  /** What stands below the bar. */
  readonly body: string;
  /** More scripts, which run in this order. */
  readonly scripts?: readonly string[];
}

/** A page's address and title. */
export interface PageLink {
  readonly path: string;
  readonly title: string;
}

/** A whole page in the frame that all pages have. */
export function framedPage(
  { paths, hasConsole }: Frame,
  { title, area, body, scripts = [] }: FramedPage,
): string {
  const files = [...scripts, paths.script].map((path) => `<script src="${path}" defer></script>`);
  const home = hasConsole ? "/" : "/docs/guide/README";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Sightline</title>
<link rel="icon" type="image/svg+xml" href="${paths.icon}">
<link rel="stylesheet" href="${paths.style}">
<script src="${paths.theme}"></script>
${files.join("\n")}
</head>
<body${area === "api" ? ' class="api"' : ""}>
<a class="skip" href="#content">Skip to the text</a>
<header class="bar"><div>
<button class="menu" type="button" aria-label="Pages" aria-expanded="false">${icons.menu}</button>
<a class="logo" href="${home}">${icons.logo}<span>Sightline</span></a>
${areasOf(hasConsole, area)}
<div class="find" role="search" data-index="${paths.index}">
<input type="search" placeholder="Search guides" aria-label="Search the guides" role="combobox"
 aria-expanded="false" aria-controls="found" autocomplete="off" spellcheck="false">
${icons.search}<kbd aria-hidden="true">/</kbd>
<ul class="found" id="found" role="listbox" aria-label="Found" hidden></ul>
<span class="status" role="status"></span>
</div>
<button class="theme" type="button" aria-label="Theme">${icons.themes}</button>
</div></header>
${body}
</body>
</html>
`;
}

/** A page of text: the list of pages, the text, its headings, the pages before and after. */
export function textPage(
  hasConsole: boolean,
  groups: readonly PageGroup[],
  page: PageLink & { readonly html: string; readonly headings: readonly Heading[] },
): string {
  return `<div class="columns">
${sideOf(groups, page.path, hasConsole)}
<main class="page" id="content">
${page.html}
${turnOf(groups, page.path)}
</main>
${contentsOf(page.headings)}
</div>`;
}

function areasOf(hasConsole: boolean, area: FramedPage["area"]): string {
  const link = (path: string, name: string, isCurrent: boolean) =>
    `<a href="${path}"${isCurrent ? ' aria-current="true"' : ""}>${name}</a>`;
  return `<nav class="areas" aria-label="Areas">
${hasConsole ? link("/", "Console", false) : ""}
${link("/docs/guide/README", "Guides", area === "guides")}
${link("/docs", "API", area === "api")}
</nav>`;
}

function sideOf(groups: readonly PageGroup[], current: string, hasConsole: boolean): string {
  const parts = groups.map(({ title, pages }) => {
    const links = pages.map(({ path, title: own }) => {
      const name = title === "" ? "Overview" : own;
      const mark = path === current ? ' aria-current="page"' : "";
      return `<li><a href="${path}"${mark}>${escaped(name)}</a></li>`;
    });
    const list = `<ul>\n${links.join("\n")}\n</ul>`;
    if (title === "") return list;
    if (pages.length <= foldedMin) return `<h2>${escaped(title)}</h2>\n${list}`;
    const open = pages.some(({ path }) => path === current) ? " open" : "";
    return `<details${open}><summary>${escaped(title)}</summary>\n${list}</details>`;
  });
  return `<nav class="side" aria-label="Pages">
${areasOf(hasConsole, "guides")}
${parts.join("\n")}
</nav>`;
}

/** A list that is longer than this, of error codes, is folded away. */
const foldedMin = 16;

function turnOf(groups: readonly PageGroup[], current: string): string {
  const pages = groups.flatMap((group) => group.pages);
  const place = pages.findIndex(({ path }) => path === current);
  const before = pages[place - 1];
  const after = place < 0 ? undefined : pages[place + 1];
  const link = (page: PageLink | undefined, name: string, [rel, label]: readonly string[]) =>
    page === undefined
      ? ""
      : `<a class="${name}" rel="${rel}" href="${page.path}">` +
        `<span>${label}</span>${escaped(page.title)}</a>`;
  return `<nav class="turn" aria-label="Previous and next page">
${link(before, "before", ["prev", "Previous"])}
${link(after, "after", ["next", "Next"])}
</nav>`;
}

/** A page with fewer headings is seen as a whole. */
const headingsMin = 3;

function contentsOf(headings: readonly Heading[]): string {
  const shown = headings.filter(({ depth }) => depth === 2);
  if (shown.length < headingsMin) return "";
  const links = shown.map(
    ({ anchor, text }) => `<li><a href="#${escaped(anchor)}">${escaped(text)}</a></li>`,
  );
  return `<nav class="toc" aria-label="On this page"><h2>On this page</h2>
<ul>
${links.join("\n")}
</ul>
</nav>`;
}
