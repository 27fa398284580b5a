import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { type Entity, entityOf, ifThere } from "../http/static-files.ts";

/** The console's page and the files that it loads. */
interface BuiltConsole {
  readonly page: Entity;
  /** By name, which holds a hash of the file. */
  readonly assets: ReadonlyMap<string, Entity>;
}

/** What a build may hold; anything else in its folder is not served. */
const contentTypes: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

/** The files of the console, from the folder of its build. Read once, when there is a build. */
export class ConsoleFiles {
  readonly #folder: string;
  #built: Promise<BuiltConsole | null> | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The page; null when the console is not built. */
  async page(): Promise<Entity | null> {
    return (await this.#read())?.page ?? null;
  }

  /** What stands at /console/assets/<name>; null when there is no such file. */
  async asset(name: string): Promise<Entity | null> {
    return (await this.#read())?.assets.get(name) ?? null;
  }

  async #read(): Promise<BuiltConsole | null> {
    this.#built ??= readBuild(this.#folder);
    let built: BuiltConsole | null = null;
    try {
      built = await this.#built;
    } finally {
      if (built === null) this.#built = null; // it may be built, or can be read, at any time
    }
    return built;
  }
}

async function readBuild(folder: string): Promise<BuiltConsole | null> {
  const html = await ifThere(readFile(join(folder, "index.html")));
  if (html === null) return null;
  // Only a name of the folder's own list is served.
  const names = (await ifThere(readdir(join(folder, "assets")))) ?? [];
  const assets = await Promise.all(
    names.map(async (name) => {
      const contentType = contentTypes[extname(name)];
      if (contentType === undefined) return [];
      const body = await readFile(join(folder, "assets", name));
      return [[name, await entityOf(contentType, body)] as const];
    }),
  );
  return { page: await entityOf("text/html; charset=utf-8", html), assets: new Map(assets.flat()) };
}
