import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Entity, entityOf } from "../entity.ts";
import {
  type AssetPaths,
  apiPage,
  apiPageSettings,
  htmlPage,
  type PageLink,
  pageIcon,
  pageStyle,
  plainApiPage,
} from "./api-page.ts";
import { markdownToHtml, titleOf } from "./markdown-to-html.ts";
import { type DocumentSection, documentSections, withServedLinks } from "./served-links.ts";

/** Where the documents lie that the service serves. */
export interface DocumentFolders {
  /** Holds guide/, metrics/ and errors/: this project's docs/. */
  readonly pages: string;
  /** Holds standalone.js, the library of the API page; it need not exist. */
  readonly apiPage: string;
}

/** A page as Markdown and as HTML. */
export interface DocumentPage {
  readonly markdown: Entity;
  readonly html: Entity;
}

interface ApiPage {
  readonly page: Entity;
  /** By the name under /docs/assets/, which holds the hash of what it names. */
  readonly assets: ReadonlyMap<string, Entity>;
  readonly paths: AssetPaths;
}

const htmlType = "text/html; charset=utf-8";
const scriptType = "text/javascript; charset=utf-8";

/** The documents that the service serves: the API page and the pages of docs/. Read once. */
export class Documents {
  readonly #folders: DocumentFolders;
  readonly #pages = new Map<string, Promise<DocumentPage>>();
  #names: Promise<ReadonlySet<string>> | null = null;
  #apiPage: Promise<ApiPage> | null = null;

  constructor(folders: DocumentFolders) {
    this.#folders = folders;
  }

  /** The API page; a plain one where its library is not installed. */
  async apiPage(): Promise<Entity> {
    return (await this.#api()).page;
  }

  /** What stands at /docs/assets/<name>; null when there is no such thing. */
  async asset(name: string): Promise<Entity | null> {
    return (await this.#api()).assets.get(name) ?? null;
  }

  /** A page of docs/<section>/; null when there is no such page. */
  async page(section: DocumentSection, name: string): Promise<DocumentPage | null> {
    // Only a name of the folder's own list becomes a file's name.
    const key = `${section}/${name}.md`;
    this.#names ??= this.#list();
    if (!(await this.#names).has(key)) return null;
    const kept = this.#pages.get(key) ?? this.#readPage(section, key);
    this.#pages.set(key, kept);
    return kept;
  }

  async #list(): Promise<ReadonlySet<string>> {
    const lists = documentSections.map(async (section) => {
      const files = (await ifThere(readdir(join(this.#folders.pages, section)))) ?? [];
      return files.filter((file) => file.endsWith(".md")).map((file) => `${section}/${file}`);
    });
    return new Set((await Promise.all(lists)).flat().toSorted());
  }

  async #readPage(section: DocumentSection, file: string): Promise<DocumentPage> {
    const text = await readFile(join(this.#folders.pages, file), "utf8");
    const markdown = withServedLinks(text, section);
    const { paths } = await this.#api();
    const body = `<main class="page">\n${markdownToHtml(markdown)}\n</main>`;
    const html = htmlPage({ ...paths, title: titleOf(text) }, body);
    return {
      markdown: await entityOf("text/markdown; charset=utf-8", Buffer.from(markdown)),
      html: await entityOf(htmlType, Buffer.from(html)),
    };
  }

  #api(): Promise<ApiPage> {
    this.#apiPage ??= this.#readApi();
    return this.#apiPage;
  }

  async #readApi(): Promise<ApiPage> {
    const library = await ifThere(readFile(join(this.#folders.apiPage, "standalone.js")));
    const assets = new Map<string, Entity>();
    const add = async (name: string, contentType: string, body: Buffer | string) => {
      const entity = await entityOf(contentType, Buffer.from(body));
      const dot = name.lastIndexOf(".");
      const named = `${name.slice(0, dot)}-${entity.hash.slice(0, 16)}${name.slice(dot)}`;
      assets.set(named, entity);
      return `/docs/assets/${named}`;
    };
    const paths = {
      library: library === null ? "" : await add("scalar.js", scriptType, library),
      settings: await add("settings.js", scriptType, apiPageSettings),
      style: await add("pages.css", "text/css; charset=utf-8", pageStyle),
      icon: await add("icon.svg", "image/svg+xml", pageIcon),
    };
    const html = library === null ? plainApiPage(paths, await this.#guides()) : apiPage(paths);
    return { page: await entityOf(htmlType, Buffer.from(html)), assets, paths };
  }

  async #guides(): Promise<readonly PageLink[]> {
    const files = await this.#list();
    const guides = [...files].filter((file) => !file.startsWith("errors/"));
    return Promise.all(
      guides.map(async (file) => ({
        path: `/docs/${file.slice(0, -".md".length)}`,
        title: titleOf(await readFile(join(this.#folders.pages, file), "utf8")),
      })),
    );
  }
}

async function ifThere<Value>(reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
