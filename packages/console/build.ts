import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { type BuildOptions, build, type Metafile } from "esbuild";

/**
 * Builds the console: `node packages/console/build.ts [FOLDER]` writes index.html and assets/ into
 * the folder (dist beside this file unless said), in place of what was there, and prints what a
 * browser loads, gzipped.
 */

/** Where the service serves the files of assets/. */
const assetsPath = "/console/assets/";
const source = join(import.meta.dirname, "src");
/** What the console has in common with the other pages of the service. */
const shared = join(import.meta.dirname, "../server/pages");
/** As esbuild names it, from `source`. */
const themeFile = "../../server/pages/theme.js";
const fontFolder = dirname(
  fileURLToPath(import.meta.resolve("@fontsource-variable/inter/package.json")),
);

/** What a browser loads of the console, in bytes after gzip. */
export interface ConsoleSizes {
  /** Everything that a page loads at first, index.html included. */
  readonly first: number;
  /** What it loads later, of all pages together. */
  readonly lazy: number;
  /** What a worker loads that reads spreadsheets: when one is dropped, and never otherwise. */
  readonly sheets: number;
  /** The font, which is loaded next to both. */
  readonly fonts: number;
  /** Each file by its name. */
  readonly files: Readonly<Record<string, number>>;
}

/** Builds the console into a folder, and says how large it is. */
export async function buildConsole(folder: string): Promise<ConsoleSizes> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const outdir = join(folder, "assets");
  // A worker is found by its address, which holds a hash: it is built before what names it.
  const worker = await build({
    ...common,
    outdir,
    entryPoints: { "sheet-worker": "answers/sheet-worker.ts" },
  });
  const [path] =
    Object.entries(worker.metafile.outputs).find(
      ([, { entryPoint }]) => entryPoint !== undefined,
    ) ?? [];
  const { metafile } = await build({
    ...common,
    outdir,
    entryPoints: { theme: themeFile, console: "app/main.tsx" },
    define: {
      "process.env.NODE_ENV": '"production"',
      SHEET_WORKER: JSON.stringify(`${assetsPath}${basename(path ?? "")}`),
    },
  });
  writeFileSync(join(folder, "index.html"), pageOf(metafile, iconIn(outdir)));
  // The font's licence asks to go along with it.
  copyFileSync(join(fontFolder, "LICENSE"), join(folder, "assets", "inter-OFL.txt"));
  return sizesOf(metafile, worker.metafile, folder);
}

/** Copies the icon of all pages into a folder, and gives its name, which holds a hash. */
function iconIn(outdir: string): string {
  const icon = readFileSync(join(shared, "icon.svg"));
  const name = `icon-${createHash("sha256").update(icon).digest("hex").slice(0, 8)}.svg`;
  writeFileSync(join(outdir, name), icon);
  return name;
}

const common = {
  absWorkingDir: source,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  publicPath: assetsPath,
  bundle: true,
  splitting: true,
  format: "esm",
  jsx: "automatic",
  minify: true,
  metafile: true,
  target: ["es2022", "chrome123", "firefox128", "safari17.5"],
  loader: { ".svg": "file", ".woff2": "file" },
  legalComments: "none",
  logLevel: "warning",
} as const satisfies BuildOptions;

/**
 * The page: no script or style of its own, so that the policy allows none. The font
 * comes along with the scripts, whose pages show it only if it is there when they are.
 */
function pageOf(metafile: Metafile, icon: string): string {
  const { script: theme } = filesOf(metafile, themeFile);
  const { script, style, preloads } = filesOf(metafile, "app/main.tsx");
  const font = Object.keys(metafile.outputs).find((each) => extname(each) === ".woff2") ?? "";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Sightline</title>
<link rel="icon" type="image/svg+xml" href="${assetsPath}${icon}">
<script src="${assetsPath}${theme}"></script>
<link rel="stylesheet" href="${assetsPath}${style}">
<link rel="preload" href="${assetsPath}${basename(font)}" as="font" type="font/woff2"
  crossorigin>
${preloads.map((file) => `<link rel="modulepreload" href="${assetsPath}${file}">`).join("\n")}
<script type="module" src="${assetsPath}${script}"></script>
</head>
<body>
<div id="console">
<p class="before-scripts"><strong>Sightline</strong>
How AI assistants mention and cite a brand and its competitors. The console is loading.</p>
</div>
<noscript>The console needs JavaScript.</noscript>
</body>
</html>
`;
}

/** The files of an entry point: its script, its style, and what the script imports statically. */
function filesOf(metafile: Metafile, entryPoint: string) {
  const found = Object.entries(metafile.outputs).find(([, each]) => each.entryPoint === entryPoint);
  if (found === undefined) throw new Error(`esbuild wrote nothing for ${entryPoint}`);
  const [path, { cssBundle }] = found;
  const reached = new Set<string>();
  const follow = (output: string): void => {
    for (const { path: next, kind } of metafile.outputs[output]?.imports ?? []) {
      if (kind !== "import-statement" || reached.has(next)) continue;
      reached.add(next);
      follow(next);
    }
  };
  follow(path);
  return {
    script: basename(path),
    style: basename(cssBundle ?? ""),
    preloads: [...reached].map((each) => basename(each)),
  };
}

function sizesOf(metafile: Metafile, worker: Metafile, folder: string): ConsoleSizes {
  const gzipped = (path: string) => gzipSync(readFileSync(join(folder, path))).byteLength;
  const { script, style, preloads } = filesOf(metafile, "app/main.tsx");
  const { script: theme } = filesOf(metafile, themeFile);
  const atFirst = new Set([theme, script, style, ...preloads]);
  let [first, lazy, fonts] = [gzipped("index.html"), 0, 0];
  const files: Record<string, number> = { "index.html": first };
  for (const path of Object.keys(metafile.outputs)) {
    const name = basename(path);
    const bytes = gzipped(join("assets", name));
    files[name] = bytes;
    if (extname(name) === ".woff2") fonts += bytes;
    else if (atFirst.has(name)) first += bytes;
    else lazy += bytes;
  }
  let sheets = 0;
  for (const path of Object.keys(worker.outputs)) {
    const name = basename(path);
    files[name] = gzipped(join("assets", name));
    sheets += files[name];
  }
  return { first, lazy, fonts, sheets, files };
}

if (import.meta.main) {
  const folder = process.argv[2] ?? join(import.meta.dirname, "dist");
  const { first, lazy, fonts, sheets, files } = await buildConsole(folder);
  const line = (name: string, bytes: number) =>
    `${(bytes / 1_000).toFixed(1).padStart(8)} KB  ${name}`;
  const lines = Object.entries(files).map(([name, bytes]) => line(name, bytes));
  const parts = { "at first": first, later: lazy, fonts, "for sheets": sheets };
  lines.push(...Object.entries(parts).map(([name, bytes]) => line(name, bytes)));
  process.stdout.write(`${lines.join("\n")}\n`);
}
