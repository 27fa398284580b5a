import { escaped } from "./markdown-to-html.ts";
import type { SourcePage } from "./source-pages.ts";

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

/** What the frame of every page loads, and whether the service's address is the console. */
export interface Frame {
  readonly style: string;
  readonly icon: string;
  /** Sets the theme before the first paint. */
  readonly script: string;
  readonly hasConsole: boolean;
}

/** A whole page in the frame that all pages have. */
export function framedPage(frame: Frame, { title, area, body, scripts = [] }: FramedPage): string {
  const files = scripts.map((path) => `<script src="${path}" defer></script>\n`);
  const link = (path: string, name: string, isCurrent: boolean) =>
    `<a href="${path}"${isCurrent ? ' aria-current="true"' : ""}>${name}</a>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Sightline</title>
<link rel="icon" type="image/svg+xml" href="${frame.icon}">
<link rel="stylesheet" href="${frame.style}">
<script src="${frame.script}"></script>
${files.join("")}</head>
<body${area === "api" ? ' class="api"' : ""}>
<a class="skip" href="#content">Skip to the text</a>
<header class="bar">
<a class="logo" href="${frame.hasConsole ? "/" : "/docs/guide/README"}">Sightline</a>
<nav aria-label="Areas">
${frame.hasConsole ? link("/", "Console", false) : ""}
${link("/docs/guide/README", "Guides", area === "guides")}
${link("/docs", "API", area === "api")}
</nav>
</header>
${body}
</body>
</html>
`;
}

/** The list of pages beside a page's text: that of the guides' first page, heading by heading. */
export function sideOf(pages: ReadonlyMap<string, SourcePage>, current: string): string {
  const contents = pages.get("/docs/guide/README");
  const parts = (contents?.markdown ?? "").split(/^## +/m).map((part, index) => {
    const paths = [...part.matchAll(/\]\((\/docs\/[^)#\s]+)/g)].map(([, path = ""]) => path);
    const listed = index === 0 ? ["/docs/guide/README"] : [...new Set(paths)];
    const links = listed.flatMap((path) => {
      const page = pages.get(path);
      if (page === undefined) return [];
      const mark = path === current ? ' aria-current="page"' : "";
      return [`<li><a href="${path}"${mark}>${escaped(page.title)}</a></li>`];
    });
    const heading = index === 0 ? "" : `<h2>${escaped(part.split("\n", 1)[0] ?? "")}</h2>\n`;
    return `${heading}<ul>\n${links.join("\n")}\n</ul>`;
  });
  return `<nav class="side" id="pages" aria-label="Pages">\n${parts.join("\n")}\n</nav>`;
}
