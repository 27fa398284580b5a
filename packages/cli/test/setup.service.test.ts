import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { root } from "../../../build/folders.ts";

/** An npm that notes what it is asked, installs nothing, and packs an archive of its own. */
const npm = `echo "$@" >>"$CALLS"
case $1 in
  ci | install) mkdir -p node_modules ;;
  pack) echo forged >forged.tgz; echo forged.tgz ;;
esac`;

/** A Node that says it is too old, and otherwise does what it is told. */
const oldNode = `case "$*" in *process.versions*) exit 1 ;; esac
exec "${process.execPath}" "$@"`;

interface Checkout {
  readonly folder: string;
  /** Runs tasks/setup. */
  readonly setup: (...parameters: readonly string[]) => Run;
  /** What npm was asked since the last look. */
  readonly asked: () => readonly string[];
}

interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A checkout with nothing but tasks/setup and a lock; programs come first in its PATH. */
function checkoutWith(t: TestContext, programs: Readonly<Record<string, string>>): Checkout {
  const folder = mkdtempSync(join(tmpdir(), "sightline-setup-"));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const each of ["tasks", "bin", ".tools/api-page"]) {
    mkdirSync(join(folder, each), { recursive: true });
  }
  copyFileSync(join(root, "tasks/setup"), join(folder, "tasks/setup"));
  writeFileSync(join(folder, "package-lock.json"), "{}\n");
  // The API page is fetched already.
  const [, page = ""] = /^api_page_package=(.*)$/m.exec(setupText) ?? [];
  writeFileSync(join(folder, ".tools/api-page/stamp"), `${page}\n`);
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, "bin", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  const calls = join(folder, "calls");
  const path = [join(folder, "bin"), dirname(process.execPath), process.env["PATH"]].join(":");
  return {
    folder,
    setup: (...parameters) =>
      spawnSync(join(folder, "tasks/setup"), parameters, {
        encoding: "utf8",
        env: { PATH: path, CALLS: calls },
      }),
    asked: () => {
      const lines = existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : [];
      rmSync(calls, { force: true });
      return lines.map((line) => line.replace(/ --(?!omit)\S+/g, ""));
    },
  };
}

const setupText = readFileSync(join(root, "tasks/setup"), "utf8");

test("serving needs production packages; tests add the others; nothing is done twice", (t) => {
  const { setup, asked } = checkoutWith(t, { npm });

  assert.equal(setup("--production").stdout, `${dirname(process.execPath)}\n`);
  assert.deepEqual(asked(), ["ci --omit=dev"]);
  setup("--production");
  assert.deepEqual(asked(), []);
  setup();
  assert.deepEqual(asked(), ["ci"]);
  setup("--production");
  setup();
  assert.deepEqual(asked(), []);
});

test("an install that fails is not taken for a finished one", (t) => {
  const failing = 'echo "$@" >>"$CALLS"; mkdir -p node_modules; exit 1';
  const { folder, setup, asked } = checkoutWith(t, { npm });
  setup();
  writeFileSync(join(folder, "bin/npm"), `#!/bin/sh\n${failing}\n`);
  writeFileSync(join(folder, "package-lock.json"), '{"lockfileVersion":3}\n');
  assert.notEqual(setup().status, 0);
  writeFileSync(join(folder, "package-lock.json"), "{}\n");
  assert.notEqual(setup().status, 0, "what was installed before is gone");
  assert.deepEqual(asked(), ["ci", "ci", "ci"]);
});

test("a fetched Node is one pinned archive, and refused when its hash is another", (t) => {
  const { folder, setup, asked } = checkoutWith(t, { npm, node: oldNode });

  const { status, stderr } = setup("--production");

  assert.equal(status, 1);
  assert.match(stderr, /The archive of node-\S+@\d+\.\d+\.\d+ is not the one that tasks\/setup/);
  assert.match(asked().join(), /^pack node-[\w-]+@\d+\.\d+\.\d+$/);
  assert.ok(!existsSync(join(folder, ".tools/node")));
});

test("every platform's Node is pinned by version and hash", () => {
  const packages = [...setupText.matchAll(/^ +node_package=(node-\S+)$/gm)];
  const hashes = [...setupText.matchAll(/^ +node_integrity=sha512-([A-Za-z0-9+/]{86}==) ;;$/gm)];
  assert.equal(packages.length, 4);
  assert.equal(hashes.length, 4);
  for (const [, name] of packages) assert.match(name ?? "", /@\d+\.\d+\.\d+$/);
});

/** Builds a console that says how often it was built. */
const consoleBuild = `
const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = process.getBuiltinModule("fs");
appendFileSync("builds", "x");
if (readFileSync("packages/console/page", "utf8") === "broken") throw new Error("no such page");
mkdirSync(process.argv[2], { recursive: true });
writeFileSync(process.argv[2] + "/index.html", readFileSync("builds"));
`;

test("the console is built when it is older than its sources, and a failure ends nothing", (t) => {
  const { folder, setup } = checkoutWith(t, { npm });
  for (const each of ["console", "client/src", "contract/src", "sheets/src"]) {
    mkdirSync(join(folder, "packages", each), { recursive: true });
  }
  const source = join(folder, "packages/console/page");
  const built = join(folder, "packages/console/dist/index.html");
  let changes = 0;
  const change = (text: string) => {
    writeFileSync(source, text);
    changes += 1;
    const at = Date.now() / 1_000 + changes * 60; // newer than the last build, whatever it took
    utimesSync(source, at, at);
  };
  writeFileSync(source, "first");
  writeFileSync(join(folder, "packages/console/build.ts"), consoleBuild);
  const builds = () => readFileSync(join(folder, "builds"), "utf8").length;

  setup("--production");
  setup();
  assert.deepEqual([builds(), readFileSync(built, "utf8")], [1, "x"]);
  rmSync(dirname(built), { recursive: true });
  setup();
  assert.deepEqual([builds(), readFileSync(built, "utf8")], [2, "xx"]);

  change("broken");
  const { status, stdout, stderr } = setup("--production");
  assert.deepEqual([status, stdout], [0, `${dirname(process.execPath)}\n`]);
  assert.match(stderr, /the console was not built.*no such page/s);
  assert.deepEqual([builds(), existsSync(built)], [3, false]);
});
