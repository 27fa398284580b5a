import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { builtinModules } from "node:module";
import { basename, dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { buildCommand } from "../../../build/command-package.ts";
import { root } from "../../../build/folders.ts";

/** What tasks/setup makes, where it can. */
const optional = /\.tools\/|console\/dist$/;

let dist = "";
let files: readonly { readonly path: string; readonly text: string }[] = [];
before(async () => {
  // Below the repository, so that its third-party packages are found.
  mkdirSync(join(root, ".runs"), { recursive: true });
  dist = mkdtempSync(join(root, ".runs/command-"));
  await buildCommand(dist);
  files = globSync("packages/*/src/**/*", { cwd: dist, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, text: readFileSync(path, "utf8") }));
});
after(() => rmSync(dist, { recursive: true }));

test("every source file is JavaScript or data, in its own place, without its tests", () => {
  const expected = globSync(
    "packages/{cli,server,sheets,stand-in,mcp,client,contract}/src/**/*.{ts,yaml}",
    {
      cwd: root,
    },
  )
    .filter((path) => !path.endsWith(".test.ts"))
    .map((path) => join(dist, path.replace(/\.ts$/, ".js")));

  assert.deepEqual(files.map(({ path }) => path).sort(), expected.sort());
});

test("every import and every address of a file leads to something that is in the package", () => {
  const manifest = JSON.parse(readFileSync(join(dist, "package.json"), "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const lost: string[] = [];
  let found = 0;
  for (const { path, text } of files) {
    const statements = [
      ...text.matchAll(/^(?:import |(?:import|export|\}) [^"\n]*from )"([^"]+)";$/gm),
    ];
    const calls = [...text.matchAll(/\bimport\("([^"]+)"\)/g)];
    const addresses = [...text.matchAll(/new URL\(\s*"([^"]+)",\s*import\.meta\.url/g)];
    for (const [, target = ""] of [...statements, ...calls, ...addresses]) {
      const [first = "", second] = target.split("/");
      const name = first.startsWith("@") ? `${first}/${second}` : first;
      found++;
      const known = target.startsWith(".")
        ? existsSync(join(dirname(path), target)) || optional.test(target)
        : name in manifest.dependencies || first.startsWith("node:");
      // Without its prefix a module of Node could be one of the registry.
      const isBare = builtinModules.includes(name) && !name.startsWith("node:");
      if (!known || isBare) lost.push(`${path}: ${target}`);
    }
  }

  assert.deepEqual(lost, []);
  assert.ok(found > 400, `${found} imports`); // else the patterns above see nothing
});

test("the demo's year is in the package", () => {
  assert.deepEqual(
    globSync("packages/cli/demo/*", { cwd: dist })
      .map((path) => basename(path))
      .sort(),
    ["answers.ndjson.zst", "workspace.yaml"],
  );
});

test("the launcher starts it", () => {
  const launcher = join(dist, "sightline");
  const version = `${JSON.parse(readFileSync(join(dist, "package.json"), "utf8")).version}\n`;

  assert.equal(execFileSync(launcher, ["--version"], { encoding: "utf8" }), version);
});

test("the launcher gives Node the command alone, through a link too", () => {
  // A Node that shows what it is given.
  writeFileSync(join(dist, "node"), '#!/bin/sh\necho "$UV_THREADPOOL_SIZE$NODE_OPTIONS" "$@"\n', {
    mode: 0o755,
  });
  symlinkSync(join(dist, "sightline"), join(dist, "link"));
  const given = (...parameters: readonly string[]): string => {
    const env = { PATH: `${dist}:${process.env["PATH"]}` };
    return execFileSync(join(dist, "link"), parameters, { encoding: "utf8", env }).trim();
  };
  const start = join(dist, "start.js");
  assert.equal(given("demo", "--port", "0"), `${start} demo --port 0`);
  assert.equal(given("import", "-"), `${start} import -`);
});
