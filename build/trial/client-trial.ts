import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { jsonFile, manifestOf } from "../folders.ts";
import { readmeProgram } from "./readme-program.ts";
import type { Report } from "./report.ts";
import { runProgram, type ServedDemo } from "./run-program.ts";
import { trialNode } from "./trial-node.ts";

const page = `import { Sightline } from "@sightline/client";

const session = async () => (await fetch("/my-session")).text();
const sightline = new Sightline({ baseUrl: location.origin, session });
document.title = (await sightline.workspace()).brand.name;
`;

const strict = { target: "es2022", strict: true, exactOptionalPropertyTypes: true };

/** How the files of the project are checked: as Node's modules, and as a bundler's. */
const configurations = {
  "tsconfig.json": {
    compilerOptions: { ...strict, module: "nodenext", types: ["node"], skipLibCheck: false },
    files: ["ask.ts"],
  },
  "tsconfig.page.json": {
    compilerOptions: {
      ...strict,
      module: "esnext",
      moduleResolution: "bundler",
      lib: ["es2022", "dom"],
      types: [],
      skipLibCheck: false,
      noEmit: true,
    },
    files: ["page.ts"],
  },
};

/**
 * Installs the client's tarball in an empty TypeScript project under a version of Node, checks its
 * types there, runs the README's snippets against the demo, and bundles a page.
 */
export async function tryClient(
  version: string,
  { tarball, demo }: { readonly tarball: string; readonly demo: ServedDemo },
  report: Report,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "sightline-trial-client-"));
  const environment = { ...(await trialNode(version)), SIGHTLINE_KEY: demo.key };
  const run = (program: string, ...parameters: string[]): Promise<string> =>
    runProgram(program, parameters, { folder, environment });
  const { devDependencies = {} } = manifestOf(".");
  const tools = ["typescript", "@types/node"].map((name) => `${name}@${devDependencies[name]}`);
  writeFileSync(join(folder, "package.json"), jsonFile({ private: true, type: "module" }));
  writeFileSync(join(folder, "ask.ts"), readmeProgram(demo.url));
  writeFileSync(join(folder, "page.ts"), page);
  for (const [name, settings] of Object.entries(configurations)) {
    writeFileSync(join(folder, name), jsonFile(settings));
  }
  const step = (what: string, work: () => Promise<string>): Promise<void> =>
    report.step(`client, Node ${version}`, what, work);
  try {
    await step("installs", async () => {
      await run("npm", "install", "--no-audit", "--no-fund", tarball, ...tools);
      return (await run("node", "--version")).trim();
    });
    await step("type-checks", async () => {
      await run("npx", "tsc", "-p", "tsconfig.json");
      await run("npx", "tsc", "-p", "tsconfig.page.json");
      return `TypeScript ${(await run("npx", "tsc", "--version")).replace("Version ", "").trim()}`;
    });
    await step("runs the README's snippets", async () => {
      const lines = (await run("node", "ask.js")).trim().split("\n");
      if (lines.at(-1) !== "The page was left.") throw new Error(lines.join("\n"));
      return `${lines.length} lines`;
    });
    await step("is bundled for a browser", async () => `${await pageBytes(folder)} bytes, gzipped`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function pageBytes(folder: string): Promise<number> {
  const bundled = await build({
    absWorkingDir: folder,
    entryPoints: ["page.ts"],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
  });
  return gzipSync(bundled.outputFiles[0]?.contents ?? "", { level: 9 }).byteLength;
}
