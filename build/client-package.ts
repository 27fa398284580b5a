import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { bundledDeclarations } from "./bundled-declarations.ts";
import { contractDeclarations } from "./contract-declarations.ts";
import { emittedDeclarations } from "./emitted-declarations.ts";
import { jsonFile, manifestOf, root } from "./folders.ts";

const source = "packages/client";

/** Builds the package @sightline/client into a folder: a file of JavaScript and one of types. */
export async function buildClient(dist: string): Promise<void> {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: [join(root, source, "src/index.ts")],
    outfile: join(dist, "index.js"),
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    logLevel: "error",
  });
  writeFileSync(join(dist, "index.d.ts"), clientDeclarations());
  writeFileSync(join(dist, "package.json"), jsonFile(clientManifest()));
  copyFileSync(join(root, source, "README.md"), join(dist, "README.md"));
  copyFileSync(join(root, "LICENSE"), join(dist, "LICENSE"));
}

function clientDeclarations(): string {
  const contract = { path: "contract.ts", text: contractDeclarations() };
  return bundledDeclarations([contract, ...emittedDeclarations("client")]);
}

function clientManifest(): object {
  const { name, version, description, keywords, license, engines } = manifestOf(source);
  return {
    name,
    version,
    description,
    keywords,
    license,
    type: "module",
    engines,
    sideEffects: false,
    exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
    types: "./index.d.ts",
    files: ["index.js", "index.d.ts"],
    publishConfig: { access: "public" },
  };
}
