import assert from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { openStage, removeStaleStages } from "./stage.ts";

function folderOf(t: TestContext): string {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("a stage stays while its command runs, and goes with it", async (t) => {
  const folder = folderOf(t);
  const stage = openStage(join(folder, ".backup-"));
  await removeStaleStages(join(folder, ".backup-"));
  assert.deepEqual(readdirSync(folder).length, 1);
  await stage.remove();
  assert.deepEqual(readdirSync(folder), []);
});

test("a stage whose command was killed before it had its lock goes after a minute", async (t) => {
  const folder = folderOf(t);
  const [older, newer] = [".backup-abcdef", ".backup-ghijkl"];
  for (const name of [older, newer]) mkdirSync(join(folder, name));
  const longAgo = Date.now() / 1_000 - 61;
  utimesSync(join(folder, older), longAgo, longAgo);
  await removeStaleStages(join(folder, ".backup-"));
  assert.deepEqual(readdirSync(folder), [newer]);
});
