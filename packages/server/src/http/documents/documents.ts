import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { onceOpened } from "../../platform/once-opened.ts";
import { nextTurn } from "../../platform/turns.ts";
import { type Entity, entityOf } from "../entity.ts";
import { ifThere } from "../if-there.ts";
import { apiBody, plainApiBody } from "./api-page.ts";
import { markdownToHtml, sectionsOf } from "./markdown-to-html.ts";
import { type FramedPage, type FramePaths, framedPage, textPage } from "./page-frame.ts";
import { pageIcon } from "./page-icons.ts";
import { type PageGroup, readingOrder } from "./reading-order.ts";
import { indexedPage } from "./search-index.ts";
import type { DocumentSection } from "./served-links.ts";
import { readSourcePages, type SourcePage } from "./source-pages.ts";

/** Where the documents lie that the service serves. */
export interface DocumentFolders {
  /** Holds guide/, metrics/ and errors/: this project's docs/. */
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
  readonly groups: readonly PageGroup[];
  /** By the name under /docs/assets/, which holds the hash of what it names. */
  readonly assets: ReadonlyMap<string, Entity>;
  readonly paths: FramePaths;
  readonly apiPage: Entity;
}

const htmlType = "text/html; charset=utf-8";
const scriptType = "text/javascript; charset=utf-8";
const styleType = "text/css; charset=utf-8";

/** The documents that the service serves: the API page and the pages of docs/. Read once. */
export class Documents {
  readonly #folders: DocumentFolders;
  readonly #hasConsole: boolean;
  readonly #rendered = new Map<SourcePage, Promise<DocumentPage>>();
  readonly #read = onceOpened(() => this.#readLibrary());

  constructor(folders: DocumentFolders, hasConsole: boolean) {
    this.#folders = folders;
    this.#hasConsole = hasConsole;
  }

  /** The API page; a plain one where its library is not installed. */
  async apiPage(): Promise<Entity> {
    return (await this.#read()).apiPage;
  }

  /** What stands at /docs/assets/<name>; null when there is no such thing. */
  async asset(name: string): Promise<Entity | null> {
    return (await this.#read()).assets.get(name) ?? null;
  }

  /** A page of docs/<section>/; null when there is no such page. */
  async page(section: DocumentSection, name: string): Promise<DocumentPage | null> {
    // Only an address of the folder's own list is a page.
    const page = (await this.#read()).pages.get(`/docs/${section}/${name}`);
    if (page === undefined) return null;
    const rendered = this.#rendered.get(page) ?? this.#render(page);
    this.#rendered.set(page, rendered);
    return rendered;
  }

  /** A page of another part of the service, in the frame of the documents. */
  async framed(page: FramedPage): Promise<string> {
    return this.#framed((await this.#read()).paths, page);
  }

  async #render({ path, title, markdown }: SourcePage): Promise<DocumentPage> {
    const { groups, paths } = await this.#read();
    const headings = sectionsOf(markdown).map(({ heading }) => heading);
    const page = { path, title, html: markdownToHtml(markdown), headings };
    const body = textPage(this.#hasConsole, groups, page);
    const html = this.#framed(paths, { title, area: "guides", body });
    return {
      markdown: await entityOf("text/markdown; charset=utf-8", Buffer.from(markdown)),
      html: await entityOf(htmlType, Buffer.from(html)),
    };
  }

  #framed(paths: FramePaths, page: FramedPage): string {
    return framedPage({ paths, hasConsole: this.#hasConsole }, page);
  }

  async #readLibrary(): Promise<Library> {
    const pages = await readSourcePages(this.#folders.pages);
    const groups = readingOrder(pages);
    const assets = new AssetList();
    const paths = {
      icon: await assets.add("icon.svg", "image/svg+xml", pageIcon),
      style: await assets.add("pages.css", styleType, await ownAsset("pages.css")),
      theme: await assets.add("theme.js", scriptType, await ownAsset("theme.js")),
      script: await assets.add("pages.js", scriptType, await ownAsset("pages.js")),
      index: await assets.add("search.json", "application/json", await indexOf(groups)),
    };
    const file = await ifThere(readFile(join(this.#folders.apiPage, "standalone.js")));
    const guides = pages.filter(({ path }) => !path.startsWith("/docs/errors/"));
    const shown = file === null ? { body: plainApiBody(guides) } : await apiPageOf(assets, file);
    const apiPage = this.#framed(paths, { title: "API", area: "api", ...shown });
    return {
      pages: new Map(pages.map((page) => [page.path, page])),
      groups,
      paths,
      assets: assets.entities,
      apiPage: await entityOf(htmlType, Buffer.from(apiPage)),
    };
  }
}

/** Files that pages load, by names that hold their hash. */
class AssetList {
  readonly entities = new Map<string, Entity>();

  /** @returns the file's address. */
  async add(name: string, contentType: string, body: Buffer | string): Promise<string> {
    const entity = await entityOf(contentType, Buffer.from(body));
    const dot = name.lastIndexOf(".");
    const named = `${name.slice(0, dot)}-${entity.hash.slice(0, 16)}${name.slice(dot)}`;
    this.entities.set(named, entity);
    return `/docs/assets/${named}`;
  }
}

/** A script or style of the pages, which browsers run as it is. */
function ownAsset(name: string): Promise<Buffer> {
  return readFile(join(import.meta.dirname, "../../../pages", name));
}

async function apiPageOf(assets: AssetList, library: Buffer) {
  const settings = await assets.add("api.js", scriptType, await ownAsset("api.js"));
  const scripts = [settings, await assets.add("scalar.js", scriptType, library)];
  return { body: apiBody, scripts };
}

/** The search's index as JSON. */
async function indexOf(groups: readonly PageGroup[]): Promise<string> {
  const indexed: object[] = [];
  for (const page of groups.flatMap((group) => group.pages)) {
    indexed.push(indexedPage(page));
    await nextTurn();
  }
  return JSON.stringify(indexed);
}
