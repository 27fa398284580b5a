import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../../build/folders.ts";
import { commands } from "../src/commands.ts";

/**
 * Flags of Node that the launchers may pass: Node 22.18, the oldest supported version, lists them
 * in `node --v8-options`. A Node refuses to start with a flag it does not know, and this test's
 * own Node is newer. `tasks/trial` starts the launchers under every supported version.
 */
const knownToOldestNode = ["--max-semi-space-size", "--initial-heap-size"];

const launchers = {
  "of the checkout": "sightline",
  "of the package": "packages/cli/package/sightline",
};

for (const [name, path] of Object.entries(launchers)) {
  test(`the launcher ${name} passes only flags that the oldest supported Node knows`, (t) => {
    const folder = mkdtempSync(join(tmpdir(), "sightline-launcher-"));
    t.after(() => rmSync(folder, { recursive: true }));
    copyFileSync(join(root, path), join(folder, "sightline"));
    mkdirSync(join(folder, "tasks"));
    // Instead of a real set-up and a real Node: one that prints what it is given.
    executable(join(folder, "tasks/setup"), `echo "${folder}"`);
    executable(join(folder, "node"), 'printf "%s\\n" "$NODE_COMPILE_CACHE" "$@"');
    const env = { PATH: `${folder}:${process.env["PATH"]}` };
    const launch = (command: string): readonly string[] =>
      execFileSync(join(folder, "sightline"), [command], { encoding: "utf8", env }).split("\n");

    const unknown = Object.keys(commands).flatMap((command) => {
      const flags = launch(command).filter((parameter) => parameter.startsWith("--"));
      const names = flags.map((flag) => flag.replace(/=.*/, ""));
      return names.filter((flag) => !knownToOldestNode.includes(flag));
    });

    assert.deepEqual(unknown, []);
    if (path === "sightline")
      assert.equal(launch("serve").at(0), join(folder, ".tools/compile-cache"));
    assert.match(launch("serve").join(" "), /(main\.ts|start\.js) serve/);
  });
}

function executable(path: string, script: string): void {
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}
