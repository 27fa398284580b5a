import assert from "node:assert/strict";
import { existsSync, renameSync, rmSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { type TestContext, test } from "node:test";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { readConfig } from "../config.ts";
import { makeFolder, openDataFolder } from "./data-folder.ts";

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";

function placeOf(t: TestContext): string {
  const place = temporaryFolder();
  t.after(() => rmSync(place, { recursive: true }));
  return place;
}

test("its paths are absolute, so that no engine takes one for an address", (t) => {
  const folder = openDataFolder(relative(process.cwd(), join(placeOf(t), "md:data")));
  const { facts, answers } = folder.account(accountId);
  for (const path of [folder.control, folder.pepper, facts, answers]) assert.ok(isAbsolute(path));
});

test("a path with ? is refused, which the engine of the facts takes for a query", () => {
  assert.throws(() => readConfig({ dataDir: "/srv/a?b" }, {}), {
    message:
      /--data-dir: invalid value "\/srv\/a\?b" \(DuckDB reads \? in a path as a query\)\. Exp/,
  });
});

test("a folder that was moved away is not made anew with an account's first file", (t) => {
  const { root, account } = openDataFolder(join(placeOf(t), "data"));
  renameSync(root, `${root}.old`);
  assert.throws(() => makeFolder(account(accountId).folder), /ENOENT/);
  assert.ok(!existsSync(root));
});
