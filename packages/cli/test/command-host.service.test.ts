import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { runCommand } from "@sightline/test-kit/command.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { runHosted } from "./command-host.ts";

const workspace = { account: "Acme", brand: "Acme", prompts: ["What is the best anvil?"] };

function folderOf(t: TestContext): string {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "workspace.json"), JSON.stringify(workspace));
  writeFileSync(join(folder, "bad.ndjson"), "not json\n");
  return folder;
}

test("a command does, prints and ends with what it would in a process of its own", async (t) => {
  const [own, hosted] = [folderOf(t), folderOf(t)];
  const environment = { SIGHTLINE_DATA_DIR: "elsewhere" };
  const cases: readonly (readonly [command: string, options: object, status: number])[] = [
    ["apply workspace.json", {}, 0],
    ["import bad.ndjson", {}, 2],
    ["keys list", {}, 0],
    ["migrate", { environment }, 2],
    ["keys revoke nothing", {}, 1],
  ];
  for (const [command, options, status] of cases) {
    const words = command.split(" ");
    const expected = await runCommand(words, { folder: own, ...options });
    assert.equal(expected.status, status, expected.stderr);
    assert.deepEqual(await runHosted(words, { folder: hosted, ...options }), expected, command);
  }
});

test("commands at the same time run one after the other", async (t) => {
  const folder = folderOf(t);
  const words = [["apply", "workspace.json"], ["import", "bad.ndjson"], ["keys", "list"], ["no"]];
  const finished = await Promise.all(words.map((parameters) => runHosted(parameters, { folder })));
  assert.deepEqual(
    finished.map(({ status }) => status),
    [0, 2, 0, 2],
  );
  assert.equal(finished[2]?.stdout, "There are no keys.\n");
});

test("a command that ends its process ends as it would, and the next one runs", async (t) => {
  const folder = folderOf(t);
  await runHosted(["apply", "workspace.json"], { folder });
  // A folder that cannot be entered is a fault of the process, and no command's.
  const broken = await runHosted(["keys", "list"], { folder: join(folder, "nowhere") });
  assert.deepEqual([broken.status, broken.stdout], [1, ""]);
  assert.match(broken.stderr, /ENOENT.*chdir/);
  assert.equal((await runHosted(["keys", "list"], { folder })).stdout, "There are no keys.\n");
});
