import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path/posix";
import { build, type Plugin } from "esbuild";
import { jsonFile, manifestOf, root } from "./folders.ts";

/** The packages of this repository that the command consists of. */
const parts = ["cli", "server", "sheets", "stand-in", "mcp", "client", "contract"] as const;

/**
 * Folders and files that are read at run time, at the same place below the package as below the
 * repository.
 * One that is made by `tasks/setup` may be absent; the command then works without what it is for.
 */
const runtimeFolders: readonly { readonly path: string; readonly optional: boolean }[] = [
  { path: "docs", optional: false },
  { path: "packages/cli/demo", optional: false },
  { path: "packages/server/pages", optional: false },
  { path: "packages/server/src/collection/prices.yaml", optional: false },
  { path: "packages/console/dist", optional: true },
  { path: ".tools/api-page", optional: true },
];

/**
 * Builds the package `sightline` into a folder. Node runs no TypeScript below node_modules, so each
 * file becomes one of JavaScript in the same place: what a file finds relative to itself (workers,
 * documents) it finds there too.
 */
export async function buildCommand(dist: string): Promise<void> {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: sourceFiles(),
    outbase: join(root, "packages"),
    outdir: join(dist, "packages"),
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22",
    logLevel: "error",
    plugins: [oneFileEach],
  });
  for (const { path, optional } of runtimeFolders) {
    if (optional && !existsSync(join(root, path))) continue;
    // Another package's manifest is none of this one's.
    const filter = (source: string) => basename(source) !== "package.json";
    cpSync(join(root, path), join(dist, path), { recursive: true, filter });
  }
  for (const file of ["sightline", "start.js"]) {
    copyFileSync(join(root, "packages/cli/package", file), join(dist, file));
  }
  chmodSync(join(dist, "sightline"), 0o755);
  writeFileSync(join(dist, "package.json"), jsonFile(commandManifest()));
  copyFileSync(join(root, "packages/cli/README.md"), join(dist, "README.md"));
  copyFileSync(join(root, "LICENSE"), join(dist, "LICENSE"));
}

function sourceFiles(): string[] {
  return globSync(`packages/{${parts.join(",")}}/src/**/*.ts`, { cwd: root })
    .filter((path) => !path.endsWith(".test.ts"))
    .map((path) => join(root, path));
}

/** Leaves every import where it is, and gives it the name that the file has once it is built. */
const oneFileEach: Plugin = {
  name: "one-file-each",
  setup: (building) => {
    building.onResolve({ filter: /.*/ }, ({ path, kind, importer }) => {
      if (kind === "entry-point") return undefined;
      return { path: builtName(path, importer), external: true };
    });
    // A worker's file is not an import: it is found by its address.
    building.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const contents = text.replace(/(new URL\(\s*"\.[^"]*)\.ts"/g, '$1.js"');
      return { contents, loader: "ts" };
    });
  },
};

function builtName(specifier: string, importer: string): string {
  if (specifier.startsWith(".")) return specifier.replace(/\.ts$/, ".js");
  const [, own, entry] = /^@sightline\/([\w-]+)((?:\/[\w-]+)?)$/.exec(specifier) ?? [];
  if (own === undefined) return specifier;
  const folder = `packages/${own}`;
  const file = manifestOf(folder).exports?.[`.${entry}`];
  if (file === undefined) throw new Error(`${importer}: ${folder} has no entry ${specifier}`);
  const path = relative(dirname(importer), join(root, folder, file)).replace(/\.ts$/, ".js");
  return path.startsWith(".") ? path : `./${path}`;
}

function commandManifest(): object {
  const { version, description, keywords, license, engines } = manifestOf("packages/cli");
  return {
    name: "sightline",
    version,
    description,
    keywords,
    license,
    type: "module",
    engines,
    os: ["!win32"], // its launcher is a shell script
    bin: { sightline: "./sightline" },
    files: ["sightline", "start.js", "packages", ...runtimeFolders.map(({ path }) => path)],
    dependencies: thirdParties(),
    publishConfig: { access: "public" },
  };
}

/** What the parts depend on together. @throws when two of them want different versions. */
function thirdParties(): Readonly<Record<string, string>> {
  const found = new Map<string, string>();
  for (const part of parts) {
    for (const [name, version] of Object.entries(
      manifestOf(`packages/${part}`).dependencies ?? {},
    )) {
      if (name.startsWith("@sightline/")) continue;
      const other = found.get(name) ?? version;
      if (other !== version) throw new Error(`${name} is wanted as ${other} and as ${version}`);
      found.set(name, version);
    }
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
