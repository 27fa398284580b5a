import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "./sources.ts";

const remedy =
  "delete what nothing uses; drop `export` where one file alone uses it. What tasks/ run or a " +
  "test forks by its path is an entry in knip.jsonc.";

/** What knip finds dead in a folder: files, exports, types, dependencies. */
function findDead(folder: string): { status: number | null; found: string } {
  const knip = join(root, "node_modules/knip/bin/knip.js");
  const options = ["--no-progress", "--directory", folder];
  const { status, stdout, stderr } = spawnSync(process.execPath, [knip, ...options], {
    encoding: "utf8",
  });
  return { status, found: stdout + stderr };
}

test("an export that nothing imports is found", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "dead-exports-"));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "package.json"), '{ "name": "sample", "type": "module" }');
  writeFileSync(join(folder, "src/index.ts"), 'import { used } from "./a.ts";\nused();\n');
  writeFileSync(
    join(folder, "src/a.ts"),
    "export function used() {}\nexport function dead() {}\nexport type Dead = 1;\n",
  );
  const { status, found } = findDead(folder);
  assert.notEqual(status, 0);
  assert.match(found, /Unused exports \(1\)\ndead .*\nUnused exported types \(1\)\nDead /);
});

test("the repository exports, and depends on, only what is used", () => {
  const { status, found } = findDead(root);
  if (status !== 0) assert.fail(`\n${found}\nRemedy: ${remedy}\n`);
});
