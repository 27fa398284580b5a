import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Entity, entityOf, ifThere } from "../http/static-files.ts";
import { onceOpened } from "../platform/once-opened.ts";
import { escaped, markdownToHtml } from "./markdown-to-html.ts";
import { readSourcePages, type SourcePage } from "./source-pages.ts";

/** Where the documents lie that the service serves. */
export interface DocumentFolders {
  /** Holds guide/, metrics/ and errors.md: this project's docs/. */
  readonly pages: string;
  /** Holds standalone.js, the library of the API page; it need not exist. */
  readonly apiPage: string;
  /** The console as it was built; it need not exist. */
  readonly console: string;
}

/** A page as Markdown and as HTML. */
export interface DocumentPage {
  readonly markdown: Entity;
  readonly html: Entity;
}

/** What all pages are made from. */
interface Library {
  readonly pages: ReadonlyMap<string, SourcePage>;
  /** By the address below /docs/assets/, which holds the hash of what it names. */
  readonly assets: ReadonlyMap<string, Entity>;
  readonly frame: Frame;
  readonly apiPage: Entity;
}

/** The documents that the service serves: the API page and the pages of docs/. Read once. */
export class Documents {
  readonly #rendered = new Map<SourcePage, Promise<DocumentPage>>();
  readonly #hasConsole: boolean;
  readonly #read: () => Promise<Library>;

  constructor(folders: DocumentFolders, hasConsole: boolean) {
    this.#hasConsole = hasConsole;
    this.#read = onceOpened(() => readLibrary(folders, hasConsole));
  }

  /** The API page; a plain one where its library is not installed. */
  async apiPage(): Promise<Entity> {
    return (await this.#read()).apiPage;
  }

  /** What stands at /docs/assets/<name>; null when there is no such thing. */
  async asset(name: string): Promise<Entity | null> {
    return (await this.#read()).assets.get(`/docs/assets/${name}`) ?? null;
  }

  /** The page at an address such as /docs/guide/start; null when there is none. */
  async page(path: string): Promise<DocumentPage | null> {
    const library = await this.#read();
    const page = library.pages.get(path);
    if (page === undefined) return null;
    const rendered = this.#rendered.get(page) ?? renderedPage(library, page);
    this.#rendered.set(page, rendered);
    return rendered;
  }

  /** A page of another part of the service, in the frame of the documents. */
  async framed(page: FramedPage): Promise<string> {
    return framedPage((await this.#read()).frame, page);
  }

  /** A page for an address where nothing is. */
  notFound(): Promise<string> {
    const console = this.#hasConsole ? '<a href="/">the console</a>, ' : "";
    const body = `<main class="page" id="content">
<h1>There is no page here</h1>
<p>Nothing has this address. It may be mistyped, or the link that led here may be old. Go to
${console}<a href="/docs/guide/README">the guides</a> or <a href="/docs">the API</a>.</p>
</main>`;
    return this.framed({ title: "Not found", area: "none", body });
  }
}

async function renderedPage({ pages, frame }: Library, page: SourcePage): Promise<DocumentPage> {
  const body = `<div class="columns">
${sideOf(pages, page.path)}
<main class="page" id="content">
<a class="to-pages" href="#pages">Pages</a>
${markdownToHtml(page.markdown)}
</main>
</div>`;
  const html = framedPage(frame, { title: page.title, area: "guides", body });
  return {
    markdown: await entityOf("text/markdown; charset=utf-8", Buffer.from(page.markdown)),
    html: await entityOf(htmlType, Buffer.from(html)),
  };
}

const htmlType = "text/html; charset=utf-8";
const scriptType = "text/javascript; charset=utf-8";

async function readLibrary(folders: DocumentFolders, hasConsole: boolean): Promise<Library> {
  const assets = new Map<string, Entity>();
  const add = async (name: string, contentType: string, body: Buffer): Promise<string> => {
    const entity = await entityOf(contentType, body);
    const path = `/docs/assets/${name.replace(".", `-${entity.hash.slice(0, 16)}.`)}`;
    assets.set(path, entity);
    return path;
  };
  const own = (name: string) => readFile(join(import.meta.dirname, "../../pages", name));
  const styles = [await own("tokens.css"), await own("frame.css"), await own("pages.css")];
  const font = hasConsole ? await consoleFont(folders.console) : null;
  if (font !== null)
    styles.unshift(Buffer.from(`${await own("fonts.css")}`.replace(fontUrl, font)));
  const frame = {
    icon: await add("icon.svg", "image/svg+xml", await own("icon.svg")),
    style: await add("pages.css", "text/css; charset=utf-8", Buffer.concat(styles)),
    font,
    theme: await add("theme.js", scriptType, await own("theme.js")),
    script: await add("pages.js", scriptType, await own("pages.js")),
    hasConsole,
  };
  const library = await ifThere(readFile(join(folders.apiPage, "standalone.js")));
  const scripts =
    library === null
      ? []
      : [
          await add("api.js", scriptType, await own("api.js")),
          await add("scalar.js", scriptType, library),
        ];
  const body = library === null ? plainApiBody : '<div id="reference"></div>';
  const apiPage = framedPage(frame, { title: "API", area: "api", body, scripts });
  return {
    pages: new Map((await readSourcePages(folders.pages)).map((page) => [page.path, page])),
    assets,
    frame,
    apiPage: await entityOf(htmlType, Buffer.from(apiPage)),
  };
}

/** The font's file, as the console's build finds it. */
const fontUrl = /@fontsource[^"]+\.woff2/;

/**
 * Where the built console has its font, so that a browser loads it once for all pages; null when
 * it is not built: the pages then have the system's.
 */
async function consoleFont(folder: string): Promise<string | null> {
  const files = (await ifThere(readdir(join(folder, "assets")))) ?? [];
  const file = files.find((each) => /^inter-latin-wght-normal-\w+\.woff2$/.test(each));
  return file === undefined ? null : `/console/assets/${file}`;
}

/** What stands in for the API page where its library is not installed. */
const plainApiBody = `<main class="page" id="content">
<h1>Sightline API</h1>
<p>The API page is not installed here: the file <code>standalone.js</code> was not found. In a
checkout, delete the folder <code>.tools/api-page</code>, run <code>./tasks/setup</code> where npm
can fetch packages, and start the service again.</p>
<p>The interface itself is described in <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1), and
its use in <a href="/docs/guide/README">the guides</a>.</p>
</main>`;

/** A whole page. */
interface FramedPage {
  readonly title: string;
  /** The area of the bar that the page is in. */
  readonly area: "guides" | "api" | "none";
  /** What stands below the bar. */
  readonly body: string;
  /** More scripts, which run in this order. */
  readonly scripts?: readonly string[];
}

/** What the frame of every page loads, and whether the service's address is the console. */
interface Frame {
  readonly style: string;
  readonly icon: string;
  /** The font of the style; null: the style names none that is served. */
  readonly font: string | null;
  /** Sets the theme before the first paint. */
  readonly theme: string;
  readonly script: string;
  readonly hasConsole: boolean;
}

/** The mark and name, drawn as the console draws them. */
const logo = `<svg aria-hidden="true" viewBox="0 0 20 20">
<circle cx="10" cy="10" r="8.25" stroke-width="1.5"/>
<path d="M1.5 13 7 9.5l4 2.5 7.5-6" stroke-width="2"/>
<circle class="dot" cx="11" cy="12" r="2"/></svg><span>Sightline</span>`;

/** A whole page in the frame that all pages have. */
function framedPage(frame: Frame, { title, area, body, scripts = [] }: FramedPage): string {
  const files = [frame.script, ...scripts].map((path) => `<script src="${path}" defer></script>\n`);
  const font =
    frame.font === null
      ? ""
      : `<link rel="preload" href="${frame.font}" as="font" type="font/woff2" crossorigin>\n`;
  const link = (path: string, name: string, isCurrent: boolean) =>
    `<a href="${path}"${isCurrent ? ' aria-current="true"' : ""}>${name}</a>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Sightline</title>
<link rel="icon" type="image/svg+xml" href="${frame.icon}">
${font}<link rel="stylesheet" href="${frame.style}">
<script src="${frame.theme}"></script>
${files.join("")}</head>
<body${area === "api" ? ' class="api"' : ""}>
<a class="frame-skip" href="#content">Skip to the text</a>
<header class="frame-bar">
<div class="frame-inner">
<a class="frame-logo" href="${frame.hasConsole ? "/" : "/docs/guide/README"}">${logo}</a>
<nav class="frame-nav" aria-label="Areas">
${frame.hasConsole ? link("/", "Console", false) : ""}
${link("/docs/guide/README", "Guides", area === "guides")}
${link("/docs", "API", area === "api")}
</nav>
<div class="frame-tools"><theme-switch></theme-switch></div>
</div>
</header>
${body}
</body>
</html>
`;
}

/** The list of pages beside a page's text: that of the guides' first page, heading by heading. */
function sideOf(pages: ReadonlyMap<string, SourcePage>, current: string): string {
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
